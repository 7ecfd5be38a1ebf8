import * as z from 'zod'
import { EFFECTS } from '../operation.js'

/** contracts@1: what is declared of every tool. */
export const contractsDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/contracts@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    tools: z.array(
      z.strictObject({
        tool: z.string(),
        service: z.string().nullable().describe('the ready contract it names'),
        declared: z.boolean().describe('false: it stands in the ledger and not in the configuration in use'),
        seen: z.boolean().describe('an operation of it is in the ledger'),
        in_doubt: z.int(),
        effect: z.enum(EFFECTS).nullable(),
        repeat: z.string().nullable().describe('what a repeat does, in words; null: nobody declared it'),
        probe: z.array(z.string()).describe('kinds of its probes'),
        answered: z.boolean().describe('a machine can find out what became of a lost answer'),
        when_lost: z.string().describe('what happens when its response is lost'),
      }),
    ),
    unanswered: z.int(),
    services: z
      .array(
        z.strictObject({
          service: z.string(),
          title: z.string(),
          version: z.int(),
          effect: z.enum(EFFECTS),
          repeat: z.string(),
          marker: z.string().describe('where the write has to carry the operation'),
          grade: z.string(),
          settle: z.string().describe('how long its records may lag behind'),
          arrival: z.string().describe('how long a request may still arrive'),
          keeps: z.string().nullable().describe('how long its records are kept; null: for good'),
          parameters: z.record(
            z.string(),
            z.strictObject({ means: z.string(), default: z.string().nullable() }),
          ),
          sources: z.array(z.string()),
        }),
      )
      .describe('the ready contracts of services'),
  })
  .meta({ title: 'contracts', description: 'What is declared of every tool, those without an answer first.' })
