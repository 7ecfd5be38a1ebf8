// Writes dist/man: a manual page of the program and one of each command, from the registry.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DECLARED } from '../src/cli/commands/declared.js'
import { commandPage, mainPage } from '../src/cli/man.js'
import { VERSION } from '../src/version.js'

const folder = join(dirname(import.meta.dirname), 'dist', 'man')

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'agent-ledger.1'), mainPage(DECLARED, VERSION))
for (const command of DECLARED.filter(one => one.hidden !== true)) {
  writeFileSync(join(folder, `agent-ledger-${command.name}.1`), commandPage(command, VERSION))
}
