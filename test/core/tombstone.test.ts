import { expect, it } from 'vitest'
import type { JsonValue } from '../../src/core/json.js'
import { isTombstone } from '../../src/core/tombstone.js'

const DIGEST = `sha256:${'0f'.repeat(32)}`

it.each<[JsonValue, boolean]>([
  [{ redacted: { digest: DIGEST, bytes: 7 } }, true],
  [{ redacted: { digest: DIGEST } }, false],
  [{ redacted: { bytes: 7 } }, false],
  [{ redacted: { digest: 'sha256:0f', bytes: 7 } }, false],
  [{ redacted: { digest: `x${DIGEST}`, bytes: 7 } }, false],
  [{ redacted: { digest: `${DIGEST}0`, bytes: 7 } }, false],
  [{ redacted: { digest: `sha256:${'g'.repeat(64)}`, bytes: 7 } }, false],
  [{ redacted: null }, false],
  [{ redacted: 'x' }, false],
  [{ digest: DIGEST, bytes: 7 }, false],
  [null, false],
  ['redacted', false],
  [7, false],
])('a blanked body is known by its digest and its length: %j %s', (value, is) => {
  expect(isTombstone(value)).toBe(is)
})
