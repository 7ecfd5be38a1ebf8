import { words } from '../../core/safe-text.js'
import { ENVIRONMENT } from '../environment.js'
import { pairs } from './pairs.js'
import type { Topic } from './topic.js'

export const environmentTopic: Topic = {
  name: 'environment',
  text: () => words`Environment variables:

${pairs(ENVIRONMENT.map(({ name, means }) => [name, means]))}

The ledger is the first of: --ledger, AGENT_LEDGER, \`ledger:\` of the nearest agent-ledger.yaml upward from here, the
nearest .agent-ledger/ledger.db upward. Without any the command ends with exit code 3 and names the places searched.

Who decides is the first of: --by, AGENT_LEDGER_BY, \`identity:\` of the configuration, git's user.email, the CI
service's user, the user of the operating system. The record keeps which of these it was.`,
}
