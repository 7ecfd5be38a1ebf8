export { NotExecuted, notExecuted } from './core/classify/not-executed.js'
export { ERROR_RULES, type ErrorCode, isLedgerError, LedgerError } from './core/errors.js'
export type { JsonObject, JsonValue } from './core/json.js'
export type { NextAction } from './core/next-action.js'
export type {
  CheckpointRef,
  Contract,
  Effect,
  ExternalId,
  OperationStatus,
  Repeat,
} from './core/operation.js'
export { type IntentOfId, operationId } from './core/operation-id.js'
export type { RunOutcome } from './core/run-outcome.js'
export type { Task, TaskStatus, ThreadRef } from './core/task.js'
export type { Call } from './ledger/call.js'
export type { Executed, GuardedCommand } from './ledger/exec-call.js'
export type {
  Failure,
  Handler,
  HandlerContext,
  Held,
  Hold,
  IdAbout,
  Previous,
  Receipt,
  Standing,
  Told,
} from './ledger/executing.js'
export type { Sending, SendOptions, Sent } from './ledger/sending.js'
export type { LedgerWarning, WarningCode } from './ledger/session.js'
export type { TaskAbout, TaskHandle } from './ledger/tasks.js'
export type { LedgerEvent, LedgerEventType } from './ledger/watching.js'
export { type Ledger, type OpenOptions, openLedger } from './ledger.js'
export { VERSION } from './version.js'
