import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import * as z from 'zod'
import { OPERATION_STATUSES } from '../../../src/core/operation.js'
import type { Stage } from './stage.js'

/** Makes happen what happened before anybody looked. */
export type SetUp = (stage: Stage) => Promise<Resume>

/** What the agent does when it is started again. */
export type Resume = () => Promise<unknown>

const line = z.string().min(1)

/** The same in data: what the person is told, what they type, and how the world must look at the end. */
const sheet = z.strictObject({
  title: line,
  /** what the person on call knows before the first command */
  told: line,
  /** the decision, in words */
  right: line,
  /** a recorded list that reaches it */
  commands: z.array(line).min(1),
  /** what a hasty person might do instead */
  wrong: z
    .array(
      z.union([
        z.strictObject({ commands: z.array(line).min(1), exit: z.int(), says: line }),
        /** the ledger has to believe it: the outside world is what tells */
        z.strictObject({ commands: z.array(line), judged: line }),
      ]),
    )
    .default([]),
  end: z.strictObject({
    /** objects at the outside services, by collection */
    outside: z.record(z.string(), z.int()),
    statuses: z.record(z.string(), z.enum(OPERATION_STATUSES)),
    tasks: z.record(z.string(), z.string()).default({}),
  }),
})

export type Sheet = z.output<typeof sheet>

export interface Incident extends Sheet {
  readonly name: string
  readonly setUp: SetUp
}

const root = join(import.meta.dirname, '..')

/** Every incident there is: a folder with what happened (incident.ts) and what is right (drill.yaml). */
export const INCIDENTS: readonly string[] = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'kit')
  .map(({ name }) => name)
  .sort()

export async function incidentOf(name: string): Promise<Incident> {
  const folder = join(root, name)
  const { setUp }: { readonly setUp: SetUp } = await import(pathToFileURL(join(folder, 'incident.ts')).href)
  return { name, setUp, ...sheet.parse(parse(readFileSync(join(folder, 'drill.yaml'), 'utf8'))) }
}
