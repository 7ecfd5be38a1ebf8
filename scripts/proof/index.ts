import { model } from './model.js'

/** One part of the proof. `run` says what it did, line by line, and whether it holds. */
export interface Part {
  readonly name: string
  readonly title: string
  readonly run: (say: (line: string) => void) => boolean
}

export const PARTS: readonly Part[] = [model]
