import { errorTable } from './errors.js'
import { moveTable, ruleTable, stateDiagram } from './states.js'
import type { Block } from './with-block.js'

/** Every generated block of the documents. */
export const BLOCKS: readonly Block[] = [
  { file: 'docs/states.md', name: 'diagram', markdown: stateDiagram },
  { file: 'docs/states.md', name: 'moves', markdown: moveTable },
  { file: 'docs/states.md', name: 'rules', markdown: ruleTable },
  { file: 'docs/errors.md', name: 'errors', markdown: errorTable },
]
