import { defineConfig } from 'vitest/config'

// What needs more than Node: strace, and mounts. `npm test` leaves it out; without its tools it fails and says so.
export default defineConfig({
  test: {
    globalSetup: ['test/built.ts', 'test/bundles.ts', 'test/system/tools.ts'],
    include: ['test/system/**/*.test.ts'],
    pool: 'forks',
    // a traced process is slow, and two at once on a small machine slower
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
