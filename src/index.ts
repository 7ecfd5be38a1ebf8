export { ERROR_RULES, type ErrorCode, isLedgerError, LedgerError } from './core/errors.js'
export { VERSION } from './version.js'
