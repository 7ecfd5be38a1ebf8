import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveElsewhere, screenOf, started, statusIn, until } from './on-screen.js'

const NPM = 'release-2.8.0/npm'
const ENTER = '\r'
const CTRL_S = '\u0013'

type Screen = Awaited<ReturnType<typeof started>>

/** Fills in evidence and reason, and waits for what it would do. */
async function said(screen: Screen): Promise<void> {
  await screen.answer(`seen at the registry${ENTER}`)
  await screen.answer(`it is there${ENTER}`)
  await screen.shows('the same as: agent-ledger')
}

function codeOn(screen: Screen): string {
  return /Type ([0-9A-Z]{6}) and Enter/.exec(screen.text())?.[1] ?? 'none'
}

describe('a decision on the screen', () => {
  it('shows before and after, and the same as a command, and is taken by y alone', async () => {
    const screen = await started()
    await screen.select(NPM)
    screen.type('c')
    await screen.shows('resolve --as confirmed')
    await said(screen)
    expect(screen.text()).toContain('unknown → confirmed (version 3 → 4)')
    expect(screen.text()).toContain('--expect-version 3')
    await screen.answer(ENTER)
    expect(await screen.status(NPM)).toBe('unknown')
    screen.type('y')
    await screen.shows('to take it back: agent-ledger reopen')
    expect(await screen.status(NPM)).toBe('confirmed')
    await screen.answer(ENTER)
    await until(() => screen.selected().includes('now confirmed, by ana'))
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('demands evidence and a reason', async () => {
    const screen = await started()
    await screen.select(NPM)
    screen.type('c')
    await screen.shows('evidence (what you saw')
    await screen.answer(ENTER)
    await screen.shows('is missing')
    screen.type(`seen${ENTER}${ENTER}`)
    await until(() => screen.text().includes('reason   is missing'))
    screen.type('\u0003')
    await screen.ended
    expect(await screen.status(NPM)).toBe('unknown')
  })

  it('takes no keys that were meant for the list', async () => {
    const screen = await started()
    await screen.select(NPM)
    screen.type('cxyz')
    await screen.shows('evidence (what you saw')
    expect(screen.text()).not.toContain('xyz')
    screen.type('\u0003')
    await screen.ended
  })

  it('asks for the code where it is dangerous: neither y, nor another code, nor a paste will do', async () => {
    const screen = await started()
    await screen.select('crm-sync/Nadia')
    screen.type('X')
    await screen.shows('resolve --as not-executed')
    await said(screen)
    const code = codeOn(screen)
    await screen.answer(`\u001b[200~${code}\u001b[201~`)
    await screen.shows('a paste is no confirmation')
    screen.type(`y${ENTER}`)
    await screen.shows('what was typed is not the code')
    expect(await screen.status('crm-sync/Nadia')).toBe('unknown')
    screen.type(`${code.toLowerCase()}${ENTER}`)
    await screen.shows('1 decided')
    expect(await screen.status('crm-sync/Nadia')).toBe('not_executed')
    screen.type('\u0003')
    await screen.ended
  })

  it('is refused where somebody was here before, with what was seen beside what is there', async () => {
    const screen = await started()
    await screen.select(NPM)
    screen.type('A')
    await screen.shows('abandon:')
    await screen.answer(`nobody knows${ENTER}`)
    await screen.shows('the same as:')
    await resolveElsewhere(screen.path, NPM)
    await screen.answer(`${codeOn(screen)}${ENTER}`)
    await screen.shows('Not done, somebody was here before')
    expect(screen.text()).toContain('unknown (version 3)')
    expect(screen.text()).toContain('now confirmed')
    expect(screen.text()).toContain('lee')
    expect(await screen.status(NPM)).toBe('confirmed')
    screen.type('\u0003')
    await screen.ended
  })

  it('O11: counts the marked ones that a filter hides and those that do not allow it, and decides the rest in one commit', async () => {
    const screen = await started()
    screen.type('/crm-sync')
    await until(() => screen.head().includes('filter crm-sync'))
    screen.type(`${ENTER}*`)
    await screen.shows('4 marked')
    screen.type('/incident-88/open')
    await until(() => screen.head().includes('filter incident-88/open'))
    screen.type(`${ENTER}*`)
    await screen.shows('5 marked')
    screen.type('X')
    await screen.shows('resolve --as not-executed')
    await said(screen)
    expect(screen.text()).toContain('4 of 5 marked (4 hidden by filter)')
    expect(screen.text()).toMatch(/! incident-88\/open +not:/)
    expect(screen.text()).toMatch(/crm-sync\/Tom +unknown → not_executed/)
    await screen.answer(`${codeOn(screen)}${ENTER}`)
    await screen.shows('4 decided')
    expect(await screen.status('crm-sync/Tom')).toBe('not_executed')
    expect(await screen.status('incident-88/open')).toBe('confirmed')
    screen.type('\u0003')
    await screen.ended
  })

  it('for marked ones of which a filter hides some is left by Esc without having changed any', async () => {
    const screen = await started()
    screen.type('/crm-sync')
    await until(() => screen.head().includes('filter crm-sync'))
    screen.type(`${ENTER}*`)
    await screen.shows('4 marked')
    screen.type('/crm-sync/To')
    await until(() => screen.head().includes('filter crm-sync/To'))
    screen.type(ENTER)
    screen.type('X')
    await screen.shows('resolve --as not-executed')
    await said(screen)
    expect(screen.text()).toContain('4 of 4 marked (3 hidden by filter)')
    await screen.answer('\u001b')
    await screen.shows('Esc leave it')
    await screen.answer('\u001b')
    await until(() => !screen.text().includes('resolve --as not-executed'))
    for (const name of ['Tom', 'Nadia', 'Paulo'])
      expect(await screen.status(`crm-sync/${name}`)).toBe('unknown')
    screen.type('\u0003')
    await screen.ended
  })

  it('changes nothing for any of them when one changed meanwhile', async () => {
    const screen = await started()
    screen.type('/crm-sync')
    await until(() => screen.head().includes('filter crm-sync'))
    screen.type(`${ENTER}*X`)
    await screen.shows('resolve --as not-executed')
    await said(screen)
    await resolveElsewhere(screen.path, 'crm-sync/Paulo')
    await screen.answer(`${codeOn(screen)}${ENTER}`)
    await screen.shows('none of 4 was decided')
    expect(await screen.status('crm-sync/Tom')).toBe('unknown')
    screen.type('\u0003')
    await screen.ended
  })

  it('goes into a plan instead, which apply carries out', async () => {
    const screen = await started()
    await screen.select(NPM)
    screen.type('c')
    await screen.shows('resolve --as confirmed')
    await said(screen)
    await screen.answer(CTRL_S)
    await screen.shows('1 put into the plan')
    expect(await screen.status(NPM)).toBe('unknown')
    screen.type('\u0003')
    await screen.ended
    const [head, item] = readFileSync(join(screen.path, '../triage-plan.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(head ?? '').schema).toBe('agent-ledger/plan@1')
    expect(JSON.parse(item ?? '')).toMatchObject({ operation_id: NPM, seen: { version: 3 } })
  })

  it('is not taken on a screen for reading only, where a plan still is', async () => {
    const screen = await started({ args: ['--read-only'] })
    await screen.select(NPM)
    screen.type('c')
    await screen.shows('resolve --as confirmed')
    await said(screen)
    await screen.answer('y')
    await screen.shows('for reading only: Ctrl-S')
    expect(await screen.status(NPM)).toBe('unknown')
    screen.type('\u0003')
    await screen.ended
  })

  it('takes a reason from the editor', async () => {
    const screen = await started({ env: { EDITOR: 'printf "from the editor" >' } })
    await screen.select(NPM)
    screen.type('n')
    await screen.shows('note what you found')
    await screen.answer('\u0005')
    await screen.shows('from the editor_')
    screen.type(ENTER)
    await screen.shows('note: from the editor')
    await screen.answer('y')
    await screen.shows('noted')
    screen.type('\u0003')
    await screen.ended
  })

  it.each(['false', '/no/such/editor'])(
    'says that the editor failed, and keeps the text: %s',
    async editor => {
      const screen = await started({ env: { EDITOR: editor } })
      await screen.select(NPM)
      screen.type('n')
      await screen.shows('note what you found')
      await screen.answer('typed before')
      await screen.shows('typed before_')
      screen.type('\u0005')
      await screen.shows('the editor failed')
      expect(screen.text()).toContain('typed before_')
      screen.type(' and after')
      await screen.shows('typed before and after_')
      screen.type('\u0003')
      await screen.ended
    },
  )

  it('is offered in a menu that says why not where it is refused', async () => {
    const screen = await started()
    await screen.select(NPM)
    screen.type('a')
    await screen.shows('What to do with release-2.8.0/npm')
    await screen.shows('no: release-2.8.0/npm is unknown')
    await screen.shows('no: nobody claims it')
    screen.type('\u001b')
    await until(() => !screen.text().includes('What to do with'))
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })
})

describe('line by line', () => {
  it('tells how an operation stands whose id ends in the name of a secret', async () => {
    const screen = await screenOf({ args: ['--plain'], rows: 40, columns: 160 })
    await screen.shows('scraper-5/secret is unknown, ')
    screen.type(`q${ENTER}`)
    expect(await screen.ended).toBe(0)
  })

  it('does the same work with lines that are only ever added', async () => {
    const screen = await screenOf({ args: ['--plain'], rows: 40, columns: 160 })
    const answers = [
      ['q leave:', `/${NPM}`],
      ['q leave:', '1'],
      ['back to the list:', '2'],
      ['file:…):', 'seen'],
      ['reason:', 'it is there'],
      ['kind=value), if any:', ''],
      ['(JSON), if any:', ''],
      ['another target? y or n, default n:', 'n'],
      ['without evidence? y or n, default n:', ''],
      ['anything else to leave it:', 'y'],
      ['back to the list:', 'q'],
      ['q leave:', 'q'],
    ] as const
    for (const [question, answer] of answers) {
      await until(() => screen.text().endsWith(question))
      const before = screen.text()
      screen.type(`${answer}${ENTER}`)
      // the next question may be the same one again, and there at once
      await until(() => screen.text() !== before)
    }
    expect(await screen.ended).toBe(0)
    expect(screen.text()).toContain('1 decided')
    expect(await statusIn(screen.path, NPM)).toBe('confirmed')
    expect(screen.sent()).not.toContain('\u001b[?1049h')
  })
})
