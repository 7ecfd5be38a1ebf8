// A ticket service as a process of its own, on 127.0.0.1. It knows no idempotency keys: every request opens another
// ticket. The answer to the first one gets lost after the ticket is open. Prints its URL; ends with its parent.
import { startService } from 'agent-ledger/testing'

const service = await startService({
  mode: { kind: 'plain' },
  faults: [{ action: 'create', calls: [1], fault: { kind: 'drop_response' } }],
})
console.log(service.url)
process.stdin.on('end', () => process.exit()).resume()
