import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appendToPlan } from '../../../src/config/stage-plan.js'
import { itemsOf, lostMails, results } from './planned.js'

async function staging() {
  const ledger = await lostMails(3)
  const path = join(ledger.folder, 'staged.jsonl')
  const decide = ledger.as('ana')
  const stage = async (id: string, reason: string) => {
    const { item } = await decide.planned(id, { type: 'abandon', how: { reason } })
    return appendToPlan(path, { head: await decide.planHead(), items: [item] })
  }
  return { ...ledger, path, stage, decide }
}

describe('decisions staged one after the other', () => {
  it('make a plan that can be applied after each of them', async () => {
    const { cli, stage, path } = await staging()
    await stage('mail-1', 'nobody knows')
    expect((await stage('mail-2', 'nobody knows')).end.decisions).toBe(2)
    const { code, out } = await cli(['apply', path, '--yes', '--jsonl'])
    expect([code, results(out).map(({ operation_id }) => operation_id)]).toEqual([0, ['mail-1', 'mail-2']])
  })

  it('take the place of an earlier one on the same operation', async () => {
    const { stage, path } = await staging()
    await stage('mail-1', 'first thought')
    await stage('mail-2', 'nobody knows')
    expect((await stage('mail-1', 'second thought')).replaced).toEqual(['mail-1'])
    expect((await itemsOf(path)).map(({ decision }) => decision.reason)).toEqual([
      'second thought',
      'nobody knows',
    ])
  })

  it('leave the plan as it was where another writes it, or it was changed', async () => {
    const { stage, path, read } = await staging()
    await stage('mail-1', 'nobody knows')
    const before = read('staged.jsonl')
    writeFileSync(`${path}.new`, '')
    await expect(stage('mail-2', 'r')).rejects.toMatchObject({ code: 'conflict', path: `${path}.new` })
    expect(read('staged.jsonl')).toBe(before)
    writeFileSync(path, before.replace('nobody', 'somebody'))
    await expect(stage('mail-2', 'r')).rejects.toMatchObject({ code: 'refused', rule: 'plan_as_made' })
  })

  it('are refused in a plan of another ledger', async () => {
    const { stage, path } = await staging()
    await stage('mail-1', 'nobody knows')
    const other = (await lostMails(1)).as('ana')
    const { item } = await other.planned('mail-1', { type: 'abandon', how: { reason: 'r' } })
    const asked = appendToPlan(path, { head: await other.planHead(), items: [item] })
    await expect(asked).rejects.toMatchObject({ rule: 'plan_of_this_ledger' })
  })
})
