import { main } from '../../src/cli/main.js'

// The command line as a process of its own, from its sources.
main().then(code => {
  process.exitCode = code
})
