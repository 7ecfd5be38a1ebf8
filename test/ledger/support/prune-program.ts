import { openLedger } from '../../../src/ledger.js'

// Archives what is over in a ledger, and kills itself at the given moment of it.

const [path = '', archive = '', stage = '', count = ''] = process.argv.slice(2)
const ledger = await openLedger(path, { actor: 'ana', create: false })
let seen = 0
await ledger.prune({
  settledBefore: Date.now(),
  archive,
  onProgress: done => {
    if (done.stage === stage && seen++ === Number(count)) process.kill(process.pid, 'SIGKILL')
  },
})
await ledger.close()
