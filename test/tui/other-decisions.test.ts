import { describe, expect, it } from 'vitest'
import { openLedgerForReading } from '../../src/ledger.js'
import { started, until } from './on-screen.js'

const ENTER = '\r'
const SEND = 'contract-review/send'

type OnScreen = Awaited<ReturnType<typeof started>>

/** Opens the dialog of a key for one operation, and says what it asks for, up to what it would do. */
async function foreseen(id: string, key: string, ...said: readonly string[]) {
  const screen = await started({ columns: 110 })
  await screen.select(id)
  await fill(screen, key, said)
  return screen
}

async function fill(screen: OnScreen, key: string, said: readonly string[]): Promise<void> {
  screen.type(key)
  await screen.shows('Esc leave it')
  for (const one of said) await screen.answer(`${one}${ENTER}`)
  await screen.shows('the same as: agent-ledger')
}

async function done(screen: OnScreen, words: string): Promise<void> {
  await screen.answer('y')
  await screen.shows(words)
}

/** Back at the list. */
async function closed(screen: OnScreen): Promise<void> {
  await screen.answer(ENTER)
  await until(() => !screen.text().includes('Enter go on'))
}

async function left(screen: OnScreen): Promise<void> {
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
}

async function shown(path: string, id: string) {
  const ledger = await openLedgerForReading(path)
  try {
    return (await ledger.show(id)).document
  } finally {
    await ledger.close()
  }
}

describe('on the screen', () => {
  it('an approval shows exactly what is approved, and the command line names its digest', async () => {
    const screen = await foreseen(SEND, 'V', 'the contract was read')
    expect(screen.text()).toContain('prepared → approved for one send')
    expect(screen.text()).toContain('exactly this: {"operation_id":"contract-review/send"')
    const { approval_digest } = await shown(screen.path, SEND)
    expect(screen.text().replace(/\s+/g, '')).toContain(`--expect-digest${approval_digest}`)
    await done(screen, 'to take it back: agent-ledger revoke')
    expect((await shown(screen.path, SEND)).approvals).toMatchObject([{ state: 'usable' }])
    await left(screen)
  })

  it('a claim holds until the time that was typed, and can then be ended', async () => {
    const screen = await foreseen('incident-88/page', 'm', '2h')
    expect(screen.text()).toContain('claim --until 2h incident-88/page')
    await done(screen, '1 claimed by ana (env)')
    expect((await shown(screen.path, 'incident-88/page')).claimed_by?.by).toBe('env:ana')
    await closed(screen)
    screen.type('a')
    await until(() => /release +end your claim/.test(screen.text()))
    await left(screen)
  })

  it('a task is taken over and handed back', async () => {
    const screen = await foreseen('incident-88/page', 'T', 'looking at it')
    expect(screen.text()).toContain('running → held by you')
    await done(screen, 'incident-88: taken over by ana (env)')
    expect((await shown(screen.path, 'incident-88/page')).task.taken_over_by).toBe('env:ana')
    await closed(screen)
    await screen.shows('held by ana')
    await fill(screen, 'H', ['seen to'])
    expect(screen.text()).toContain('held by ana (env) → goes on')
    await done(screen, 'incident-88: handed back by ana (env)')
    expect((await shown(screen.path, 'incident-88/page')).task.taken_over_by).toBeNull()
    await left(screen)
  })

  it('what is not sent yet is cancelled, and no attempt follows', async () => {
    const screen = await foreseen(SEND, 'C', 'not wanted any more')
    expect(screen.text()).toContain('prepared → cancelled (version 1 → 2)')
    await done(screen, '1 decided')
    expect((await shown(screen.path, SEND)).status).toBe('cancelled')
    await left(screen)
  })

  it('what can wait is deferred, with a reason', async () => {
    const screen = await foreseen('incident-88/page', 'd', '3h', 'the pager people are asleep')
    expect(screen.text()).toContain('unknown → the same, not before')
    await done(screen, '1 deferred until')
    await left(screen)
  })
})
