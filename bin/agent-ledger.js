#!/usr/bin/env node
require('./load.js')
  .load('main')
  .main()
  .then(code => {
    process.exitCode = code
  })
