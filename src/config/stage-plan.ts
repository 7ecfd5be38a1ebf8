import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { type PlanEnd, type PlanHead, type PlanItem, planDigest } from '../core/documents/plan.js'
import { LedgerError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { openPlan, type PlanFile } from './plan-file.js'

/** A plan that is being written beside its place. Its name is taken when it is closed, whole and on the disk. */
export interface PlanWriter {
  readonly add: (item: PlanItem) => Promise<void>
  readonly close: () => Promise<PlanEnd>
  /** leaves what was there before */
  readonly giveUp: () => Promise<void>
}

/**
 * Begins a plan at a path, readable by its owner alone; one that is there is replaced when it is closed.
 * @throws LedgerError invalid_input where nothing can be written, conflict where another writes the same plan
 */
export async function writePlan(path: string, head: PlanHead): Promise<PlanWriter> {
  const aside = `${path}.new`
  const file = await created(aside, path)
  const digest = planDigest(head)
  const line = (value: JsonObject) => file.write(`${planLine(value)}\n`)
  const giveUp = async () => {
    await file.close()
    await unlink(aside)
  }
  await line(head)
  return {
    add: async item => {
      digest.add(item.digest)
      await line(item)
    },
    close: async () => {
      const end = digest.end()
      await line(end)
      await file.sync()
      await file.close()
      await rename(aside, path)
      return end
    },
    giveUp,
  }
}

/**
 * Adds decisions to a plan, or begins one: a later decision on an operation takes the place of an earlier. The plan is
 * written anew and takes its name whole. Returns how it ends, and which operations were decided before.
 * @throws LedgerError as openPlan and writePlan; refused for a plan of another ledger
 */
export async function appendToPlan(
  path: string,
  { head, items }: { readonly head: PlanHead; readonly items: readonly PlanItem[] },
): Promise<{ readonly end: PlanEnd; readonly replaced: readonly string[] }> {
  const before = await openedIfThere(path)
  try {
    if (before !== null && before.head.ledger_id !== head.ledger_id)
      throw new LedgerError('refused', `${path} is a plan of another ledger`, {
        path,
        rule: 'plan_of_this_ledger',
        hint: 'Name another file for the decisions of this ledger.',
      })
    return await written(path, { head, items, before })
  } finally {
    await before?.close()
  }
}

interface ToWrite {
  readonly head: PlanHead
  readonly items: readonly PlanItem[]
  readonly before: PlanFile | null
}

async function written(path: string, { head, items, before }: ToWrite) {
  const later = new Map(items.map(item => [item.operation_id, item]))
  const replaced: string[] = []
  const writer = await writePlan(path, before?.head ?? head)
  try {
    for await (const item of before?.items() ?? []) {
      const other = later.get(item.operation_id)
      later.delete(item.operation_id)
      if (other !== undefined) replaced.push(item.operation_id)
      await writer.add(other ?? item)
    }
    for (const item of later.values()) await writer.add(item)
    return { end: await writer.close(), replaced }
  } catch (error) {
    await writer.giveUp()
    throw error
  }
}

// JSON.stringify escapes C0 only; what could act on a terminal or end a line in some reader goes out as \uXXXX.
const HARMFUL =
  /[\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu

/** One line of a plan, without its end: harmless on a terminal and in a diff. */
export function planLine(value: JsonObject): string {
  return JSON.stringify(value).replace(HARMFUL, char =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

async function openedIfThere(path: string) {
  try {
    return await openPlan(path)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw error
  }
}

async function created(aside: string, path: string): Promise<FileHandle> {
  try {
    return await open(aside, 'wx', 0o600)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new LedgerError(
        'conflict',
        `${path} is being written, or a write of it was ended: ${aside} is there`,
        {
          path: aside,
          hint: 'If nobody writes it now, remove that file and run it again.',
        },
      )
    throw new LedgerError(
      'invalid_input',
      `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        path,
        hint: 'Name a file in a folder that is there and that you may write.',
        cause,
      },
    )
  }
}
