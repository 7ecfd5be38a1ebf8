import { approvalRuleTable, undoingTable } from './approvals.js'
import {
  adviceTable,
  langgraphCallTable,
  langgraphStatusTable,
  langgraphWarningTable,
  replayRiskTable,
} from './checkpoints.js'
import { commandReference, commandTable, globalOptionTable } from './commands.js'
import { serviceDetails, serviceTable } from './contracts.js'
import { errorTable } from './errors.js'
import { eventTable } from './events.js'
import { exitCodeTable } from './exit-codes.js'
import { exitRuleTable } from './exit-rules.js'
import { failureRuleTable, waitHintTable } from './failure-rules.js'
import { keepRuleTable } from './keep-rules.js'
import { keyTable } from './keys.js'
import {
  jsonlRuleTable,
  jsonlWarningTable,
  openhandsRuleTable,
  openhandsWarningTable,
  transcriptRuleTable,
  transcriptWarningTable,
} from './log-sources.js'
import { session } from './session.js'
import {
  pauseTable,
  phaseRuleTable,
  silenceTable,
  stallRuleTable,
  taskSilenceTable,
  volatileTable,
} from './stalls.js'
import { moveTable, ruleTable, stateDiagram } from './states.js'
import { steady } from './steady.js'
import { temporalRuleTable, temporalWarningTable } from './temporal.js'
import { verdictRuleTable } from './verdict-rules.js'
import type { Block } from './with-block.js'

/** Every generated block of the documents. */
export const BLOCKS: readonly Block[] = [
  { file: 'docs/triage.md', name: 'keys', markdown: keyTable },
  { file: 'README.md', name: 'session', markdown: session, steady },
  { file: 'README.md', name: 'commands', markdown: commandTable },
  { file: 'docs/states.md', name: 'diagram', markdown: stateDiagram },
  { file: 'docs/states.md', name: 'moves', markdown: moveTable },
  { file: 'docs/states.md', name: 'rules', markdown: ruleTable },
  { file: 'docs/errors.md', name: 'errors', markdown: errorTable },
  { file: 'docs/errors.md', name: 'exit-codes', markdown: exitCodeTable },
  { file: 'docs/commands.md', name: 'command-table', markdown: commandTable },
  { file: 'docs/commands.md', name: 'global-options', markdown: globalOptionTable },
  { file: 'docs/commands.md', name: 'command-reference', markdown: commandReference },
  { file: 'docs/exec.md', name: 'exit-rules', markdown: exitRuleTable },
  { file: 'docs/observability.md', name: 'events', markdown: eventTable },
  { file: 'docs/classification.md', name: 'handler-rules', markdown: failureRuleTable('handler') },
  { file: 'docs/classification.md', name: 'service-codes', markdown: failureRuleTable('services') },
  { file: 'docs/classification.md', name: 'http-rules', markdown: failureRuleTable('http') },
  { file: 'docs/classification.md', name: 'grpc-rules', markdown: failureRuleTable('grpc') },
  { file: 'docs/classification.md', name: 'connect-rules', markdown: failureRuleTable('connecting') },
  { file: 'docs/classification.md', name: 'lost-rules', markdown: failureRuleTable('lost') },
  { file: 'docs/classification.md', name: 'around-rules', markdown: failureRuleTable('around') },
  { file: 'docs/classification.md', name: 'wait-hints', markdown: waitHintTable },
  { file: 'docs/reconcile.md', name: 'verdict-rules', markdown: verdictRuleTable },
  { file: 'docs/contracts.md', name: 'services', markdown: serviceTable },
  { file: 'docs/contracts.md', name: 'service-details', markdown: serviceDetails },
  { file: 'docs/retention.md', name: 'keep-rules', markdown: keepRuleTable },
  { file: 'docs/stalls.md', name: 'stall-rules', markdown: stallRuleTable },
  { file: 'docs/stalls.md', name: 'silences', markdown: silenceTable },
  { file: 'docs/stalls.md', name: 'task-silences', markdown: taskSilenceTable },
  { file: 'docs/stalls.md', name: 'volatile', markdown: volatileTable },
  { file: 'docs/stalls.md', name: 'pauses', markdown: pauseTable },
  { file: 'docs/phases.md', name: 'phase-rules', markdown: phaseRuleTable },
  { file: 'docs/approvals.md', name: 'approval-rules', markdown: approvalRuleTable },
  { file: 'docs/approvals.md', name: 'undoing', markdown: undoingTable },
  { file: 'docs/checkpoints.md', name: 'replay-risk', markdown: replayRiskTable },
  { file: 'docs/checkpoints.md', name: 'advice', markdown: adviceTable },
  { file: 'docs/checkpoints.md', name: 'langgraph-warnings', markdown: langgraphWarningTable },
  { file: 'docs/sources/temporal.md', name: 'temporal-rules', markdown: temporalRuleTable },
  { file: 'docs/sources/temporal.md', name: 'temporal-warnings', markdown: temporalWarningTable },
  { file: 'docs/sources/openhands.md', name: 'openhands-rules', markdown: openhandsRuleTable },
  { file: 'docs/sources/openhands.md', name: 'openhands-warnings', markdown: openhandsWarningTable },
  { file: 'docs/sources/jsonl.md', name: 'jsonl-rules', markdown: jsonlRuleTable },
  { file: 'docs/sources/jsonl.md', name: 'jsonl-warnings', markdown: jsonlWarningTable },
  { file: 'docs/sources/transcript.md', name: 'transcript-rules', markdown: transcriptRuleTable },
  { file: 'docs/sources/transcript.md', name: 'transcript-warnings', markdown: transcriptWarningTable },
  { file: 'docs/checkpoints.md', name: 'langgraph-calls', markdown: langgraphCallTable },
  { file: 'docs/checkpoints.md', name: 'langgraph-status', markdown: langgraphStatusTable },
]
