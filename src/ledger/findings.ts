// What `verify` can find, for those who print it: only the ledger layer may know the store.
export { FINDING_RULES } from '../store/verify/finding.js'
