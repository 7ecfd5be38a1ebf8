import { afterAll, beforeAll } from 'vitest'
import { type Bundle, bundleOf } from './bundle.js'

/** A program of the tests in one file, made once for all tests of the file: it starts ten times as fast as from its sources. */
export function bundled(source: string): Bundle {
  const { bundle, make, remove } = bundleOf(source)
  beforeAll(make)
  afterAll(remove)
  return bundle
}
