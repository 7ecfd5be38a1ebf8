import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/built.ts', 'test/bundles.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/system/**'],
    pool: 'forks',
    // files share a process: loading our modules anew for each took as long as the tests themselves
    isolate: false,
    // as many as there are processors: by itself it leaves one free, and many tests wait for processes of their own
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
