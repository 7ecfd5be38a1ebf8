#!/usr/bin/env node
require('../dist/cli/main.cjs')
  .main()
  .then(code => {
    process.exitCode = code
  })
