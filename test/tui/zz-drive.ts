import { onTerminal } from '../cli/terminal.js'

const [ledger = '', columns = '120', rows = '40', ...steps] = process.argv.slice(2)
const t = onTerminal(
  process.execPath,
  [
    'bin/agent-ledger.js',
    'triage',
    '--ledger',
    ledger,
    ...(process.env.ARGS ?? '').split(' ').filter(Boolean),
  ],
  { columns: Number(columns), rows: Number(rows), env: { AGENT_LEDGER_BY: 'ana', CI: 'true' } },
)
const pause = (ms: number) => new Promise(r => setTimeout(r, ms))
let done = false
void t.ended.then(code => {
  done = true
  console.log('ended', code)
})
await Promise.race([t.shows('help'), pause(8000)])
for (const s of steps) {
  if (s.startsWith('@')) await pause(Number(s.slice(1)))
  else if (s === '#') console.log(t.screen().join('\n') + '\n' + '-'.repeat(Number(columns)))
  else {
    t.type(
      s.replace('<cr>', '\r').replace('<esc>', '\u001b').replace('<tab>', '\t').replace('<c-s>', '\u0013'),
    )
    await pause(450)
  }
}
console.log(t.screen().join('\n'))
if (!done) {
  t.type('\u0003')
  await t.ended
}
if (process.env.RAW) console.log(JSON.stringify(t.sent().slice(0, 1500)))
console.log(JSON.stringify(t.text().slice(-300)), t.sent().length, t.sent().includes('\u001b[2J'))
process.exit(0)
