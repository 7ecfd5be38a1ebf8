import { defineConfig } from 'vitest/config'

// The tests of the core alone: they need no build, and what they do not notice they do not hold.
export default defineConfig({
  test: { include: ['test/core/**/*.test.ts'], pool: 'threads', testTimeout: 60_000 },
})
