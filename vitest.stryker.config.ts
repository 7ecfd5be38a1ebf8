import { defineConfig } from 'vitest/config'

// The tests of the core alone: they need no build, and what they do not notice they do not hold. The searches that
// take half a minute each are left out; what only they notice is counted as not noticed.
const tests = process.env.STRYKER_TESTS?.split(',') ?? ['test/core/**/*.test.ts']

export default defineConfig({
  test: {
    include: tests,
    exclude: ['test/core/verdict/exhaustive.test.ts', 'test/core/verdict/contradictions.test.ts'],
    pool: 'threads',
    // one worker keeps what it has loaded: a mutant takes half a second, not several
    isolate: false,
    testTimeout: 60_000,
  },
})
