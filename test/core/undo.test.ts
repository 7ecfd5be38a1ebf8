import { expect, it } from 'vitest'
import type { OperationStatus } from '../../src/core/operation.js'
import type { DecisionType } from '../../src/core/transitions/by-person.js'
import { undoOfDecision } from '../../src/core/undo.js'

it.each<[DecisionType, OperationStatus, number, string | null]>([
  ['resolve_confirmed', 'unknown', 1, "agent-ledger reopen --reason '…' t"],
  ['resolve_not_executed', 'unknown', 1, "agent-ledger reopen --reason '…' t"],
  ['abandon', 'unknown', 1, "agent-ledger reopen --reason '…' t"],
  ['reopen', 'confirmed', 1, "agent-ledger resolve --as confirmed --evidence '…' --reason '…' t"],
  ['reopen', 'not_executed', 1, "agent-ledger resolve --as not-executed --evidence '…' --reason '…' t"],
  ['reopen', 'abandoned', 1, "agent-ledger abandon --reason '…' t"],
  ['reopen', 'unknown', 1, null],
  ['allow_retry', 'unknown', 1, "agent-ledger cancel --withdraw --reason '…' t"],
  ['cancel', 'prepared', 0, "agent-ledger allow-retry --reason '…' t"],
  ['cancel', 'prepared', 1, null],
  ['cancel', 'in_flight', 0, null],
  ['deny', 'prepared', 0, null],
  ['withdraw', 'prepared', 1, null],
  ['acknowledge', 'confirmed', 1, null],
])('%s of what was %s after %i attempts is taken back by: %s', (type, status, attempt, command) => {
  expect(undoOfDecision(type, { operation_id: 't', status, attempt })).toBe(command)
})
