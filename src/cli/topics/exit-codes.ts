import { words } from '../../core/safe-text.js'
import { EXIT_CODES } from '../exit-codes.js'
import { pairs } from './pairs.js'
import type { Topic } from './topic.js'

export const exitCodesTopic: Topic = {
  name: 'exit-codes',
  text: () => words`Exit codes have one meaning each:

${pairs(EXIT_CODES.map(({ code, means }) => [String(code), means]))}

\`exec\` ends with the code of the command it ran; 0 when the operation was already confirmed; 7 when it is in doubt,
refused or waiting; 5 when it is in flight elsewhere.`,
}
