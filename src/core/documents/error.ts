import * as z from 'zod'
import { ERROR_RULES, type ErrorCode } from '../errors.js'

const codes = Object.keys(ERROR_RULES) as [ErrorCode, ...ErrorCode[]]

/** error@1: what stderr carries with `--json` when a command fails. */
export const errorDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/error@1'),
    code: z.enum(codes),
    message: z.string().describe('what went wrong, to which id or path'),
    id: z.string().optional().describe('the operation, task or thread concerned'),
    path: z.string().optional().describe('the file, URL, option or field concerned'),
    rule: z.string().optional().describe('the safety rule that refused'),
    facts: z.record(z.string(), z.unknown()).optional().describe('digests, differing paths, versions'),
    hint: z.string().describe('what to do next'),
    exit_code: z.int().min(1).max(255),
  })
  .meta({ title: 'error', description: 'A command that failed. One line on stderr.' })
