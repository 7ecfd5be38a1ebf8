import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CHILD = join(import.meta.dirname, 'crashing-child.ts')

test('ends the process by SIGKILL at the first passing of the place named', async () => {
  expect(await childWith('after_work')).toEqual({ signal: 'SIGKILL', printed: 'before\n' })
})

test('ends it at the passing that is numbered', async () => {
  expect(await childWith('after_work:3')).toEqual({
    signal: 'SIGKILL',
    printed: 'before\nafter\nbefore\nafter\nbefore\n',
  })
})

test.each([[undefined], [''], ['elsewhere'], ['after_work:4'], ['after']])(
  'does nothing when told %j',
  async at => {
    expect(await childWith(at)).toEqual({ signal: null, printed: 'before\nafter\n'.repeat(3) })
  },
)

function childWith(at: string | undefined) {
  const env = { ...process.env, ...(at === undefined ? {} : { AGENT_LEDGER_CRASH_AT: at }) }
  return new Promise<{ signal: string | null; printed: string }>(resolve => {
    execFile(process.execPath, ['--import', 'tsx', CHILD], { env }, (error, printed) =>
      resolve({ signal: error?.signal ?? null, printed }),
    )
  })
}
