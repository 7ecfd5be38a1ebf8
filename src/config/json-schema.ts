import * as z from 'zod'
import { configSchema } from './schema.js'

/** The JSON Schema of agent-ledger.yaml for editors (draft 2020-12), made from the schema that reads it. */
export function configJsonSchema(): object {
  return { title: 'agent-ledger.yaml', ...z.toJSONSchema(configSchema, { io: 'input' }) }
}
