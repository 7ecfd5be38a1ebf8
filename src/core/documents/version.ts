import * as z from 'zod'

/** version@1: `agent-ledger --version --json`. */
export const versionDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/version@1'),
    version: z.string().describe('of agent-ledger'),
    node: z.string(),
    platform: z.string().describe('operating system and processor, linux-x64'),
  })
  .meta({ title: 'version', description: 'The versions of the program and of what it stands on.' })
