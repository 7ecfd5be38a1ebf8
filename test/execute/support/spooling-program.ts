import { spoolReceipt } from '../../../src/execute/spool.js'

// Keeps one receipt of some size beside the path given, and says where.

const [location = '', size = '0'] = process.argv.slice(2)
const store = { location, ledgerId: 'ledger-1' }
const clock = () => ({ at: 1, boot_id: 'boot', boot_ms: 1 })
const receipt = {
  operation_id: 'ticket-1',
  owner: 'elsewhere/1/1/1/1/x',
  end: 'applied',
  external_ids: [],
  result: 'x'.repeat(Number(size)),
  result_digest: null,
  error: null,
  evidence: [],
} as const
console.log(JSON.stringify(spoolReceipt({ store, clock }, receipt)))
