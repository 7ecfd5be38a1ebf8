export { type Accepted, accepted } from './core/classify/accepted.js'
export type { Answer } from './core/classify/answer.js'
export type { Classified, ClassifyOptions } from './core/classify/classify.js'
export { type ClassifyFetchOptions, classifyFetch } from './core/classify/classify-fetch.js'
export { NotExecuted, notExecuted } from './core/classify/not-executed.js'
export type { CallEnd } from './core/classify/rule.js'
export type { IdPlace, ServiceRule } from './core/classify/service-rule.js'
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
  RetryPolicy,
} from './core/operation.js'
export { type IntentOfId, operationId } from './core/operation-id.js'
export type { Phase, PhaseState } from './core/phase.js'
export { type RecoveryRecord, type RunOutcome, recoveryRecord } from './core/run-outcome.js'
export type { Task, TaskStatus, ThreadRef } from './core/task.js'
export type {
  Approvable,
  Approved,
  ApproveOptions,
  RevokedApprovals,
  RevokeOptions,
} from './ledger/approving.js'
export type { Call } from './ledger/call.js'
export type { Compensable, Compensating } from './ledger/compensating.js'
export type { Decided, Many } from './ledger/decide.js'
export type { AllowRetryOptions, DecisionOptions, ResolveOptions } from './ledger/decisions.js'
export type { Executed, GuardedCommand } from './ledger/exec-call.js'
export type {
  ActivityAbout,
  Dispatched,
  DispatchHandler,
  Dispatching,
  Failure,
  GuestClient,
  GuestConnection,
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
export type { FetchCall, Fetching, WriteRequest } from './ledger/fetching.js'
export type { NoteTold } from './ledger/handoff.js'
export type { Keeping, RedactOptions } from './ledger/keeping.js'
export type { NotifyOptions } from './ledger/notify.js'
export type { DispatchOptions } from './ledger/outbox.js'
export type { PhaseAbout, PhaseDone } from './ledger/phases.js'
export { type ArchiveChecked, checkArchive, type LedgerPruned, type PruneOptions } from './ledger/pruning.js'
export type {
  ReconcileBody,
  ReconcileFilter,
  ReconcileOptions,
  ReconcileOutcome,
  Reconciling,
} from './ledger/reconciling.js'
export { type LedgerSealed, makeSealKey, readAnchors, type SealOptions } from './ledger/sealing.js'
export type { Sending, SendOptions, Sent } from './ledger/sending.js'
export type { LedgerWarning, WarningCode } from './ledger/session.js'
export type { Superseded, SupersedeOptions } from './ledger/superseding.js'
export type { Drainable, SuperviseOptions, Supervisor } from './ledger/supervisor.js'
export type { TaskAbout, TaskHandle } from './ledger/tasks.js'
export type { Watched, WatchOptions } from './ledger/watch.js'
export type { LedgerEvent, LedgerEventType } from './ledger/watching.js'
export { type Ledger, type OpenOptions, openLedger } from './ledger.js'
export { VERSION } from './version.js'
