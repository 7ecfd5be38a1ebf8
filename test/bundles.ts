import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { bundleFolder } from './support/bundle.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** where the programs of this run lie, see `bundled` */
    readonly bundles: string
  }
}

/** A folder for the programs that tests start, for as long as the run lasts. */
export function setup(project: TestProject): () => void {
  const folder = bundleFolder()
  project.provide('bundles', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
