import { adviceTable, langgraphWarningTable, replayRiskTable } from './checkpoints.js'
import { commandReference, commandTable, globalOptionTable } from './commands.js'
import { errorTable } from './errors.js'
import { eventTable } from './events.js'
import { exitCodeTable } from './exit-codes.js'
import { exitRuleTable } from './exit-rules.js'
import { failureRuleTable } from './failure-rules.js'
import { session } from './session.js'
import { moveTable, ruleTable, stateDiagram } from './states.js'
import { steady } from './steady.js'
import type { Block } from './with-block.js'

/** Every generated block of the documents. */
export const BLOCKS: readonly Block[] = [
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
  { file: 'docs/library.md', name: 'failure-rules', markdown: failureRuleTable },
  { file: 'docs/exec.md', name: 'exit-rules', markdown: exitRuleTable },
  { file: 'docs/observability.md', name: 'events', markdown: eventTable },
  { file: 'docs/checkpoints.md', name: 'replay-risk', markdown: replayRiskTable },
  { file: 'docs/checkpoints.md', name: 'advice', markdown: adviceTable },
  { file: 'docs/checkpoints.md', name: 'langgraph-warnings', markdown: langgraphWarningTable },
]
