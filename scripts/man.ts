// Writes dist/man: a manual page of the program and one of each command, from the registry.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COMMANDS } from '../src/cli/commands/index.js'
import { commandPage, mainPage } from '../src/cli/man.js'
import { VERSION } from '../src/version.js'

const folder = join(dirname(import.meta.dirname), 'dist', 'man')
const commands = COMMANDS.map(entry => entry.command)

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'agent-ledger.1'), mainPage(commands, VERSION))
for (const command of commands.filter(one => one.hidden !== true)) {
  writeFileSync(join(folder, `agent-ledger-${command.name}.1`), commandPage(command, VERSION))
}
