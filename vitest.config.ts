import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/built.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['test/system/**'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
