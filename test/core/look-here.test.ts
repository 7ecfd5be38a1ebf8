import { describe, expect, it } from 'vitest'
import { lookHere } from '../../src/core/documents/look-here.js'
import type { Contract } from '../../src/core/operation.js'
import { anIntent, moved } from './builders.js'

const URL = 'https://tickets.example/find?id={operation_id}&q={input.title}'

function lookedAt(look_here: Contract['look_here'], title: string) {
  const contract = look_here === undefined ? {} : { look_here }
  const intent = anIntent({ operation_id: 'alert/1', input: { title }, contract })
  return lookHere(moved(null, { type: 'prepare', intent }).operation, [])
}

describe('where to look', () => {
  it('names this operation: what is on record stands in the place of the placeholders', () => {
    expect(
      lookedAt({ url: URL, check: 'ticketctl search "{input.title}" --id {operation_id}' }, 'db-2'),
    ).toEqual({
      url: 'https://tickets.example/find?id=alert%2F1&q=db-2',
      check: 'ticketctl search "db-2" --id alert/1',
    })
  })

  it('is nowhere when the contract names no place', () => {
    expect(lookedAt(undefined, 'db-2')).toBeNull()
  })

  it('keeps a placeholder for which nothing is on record', () => {
    expect(lookedAt({ url: 'https://tickets.example/{external_id.ticket}' }, 'db-2')).toEqual({
      url: 'https://tickets.example/{external_id.ticket}',
      check: null,
    })
  })

  it('keeps what an agent wrote from leaving its place in the link', () => {
    expect(lookedAt({ url: URL }, '&admin=1#/../x y')?.url).toBe(
      'https://tickets.example/find?id=alert%2F1&q=%26admin%3D1%23%2F..%2Fx%20y',
    )
  })

  it('never puts into a command what a shell would read, or an option', () => {
    for (const title of ['$(rm -rf ~)', '`id`', "a'b", 'a"b', 'a b', 'a;b', 'a\nb', '-rf', '~', 'a*', ''])
      expect(lookedAt({ check: 'ticketctl search "{input.title}"' }, title)?.check).toBe(
        'ticketctl search "{input.title}"',
      )
  })
})
