#!/usr/bin/env node
const { load, entryOf } = require('./load.js')

load(entryOf(process.argv.slice(2)))
  .main()
  .then(code => {
    process.exitCode = code
  })
