import { checkpointDocumentSchema } from '../checkpoint-schema.js'
import { headed } from './head-schema.js'

/** checkpoint@1: `agent-ledger checkpoint`. */
export const checkpointDocument = headed('checkpoint@1', checkpointDocumentSchema.shape).meta({
  title: 'checkpoint',
  description: 'What a framework’s own checkpoint says, and what a resume from it would do again.',
})
