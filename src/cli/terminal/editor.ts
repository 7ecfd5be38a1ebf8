import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellWord } from '../../core/shell-word.js'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Opens a text in the person's editor ($VISUAL, $EDITOR, else vi) and resolves to what they left; null where the editor
 * failed. The file is readable by its owner alone and is removed.
 */
export async function editText(text: string, env: Env): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-ledger-'))
  const path = join(folder, 'REASON.txt')
  try {
    await writeFile(path, `${text}\n`, { mode: 0o600 })
    const code = await runEditor(`${editorIn(env)} ${shellWord(path)}`)
    return code === 0 ? (await readFile(path, 'utf8')).trim() : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function editorIn({ VISUAL = '', EDITOR = '' }: Env): string {
  return VISUAL !== '' ? VISUAL : EDITOR !== '' ? EDITOR : 'vi'
}

// The variable may hold a command with options, which a shell takes apart.
function runEditor(line: string): Promise<number | null> {
  return new Promise(resolve => {
    const child = spawn('sh', ['-c', line], { stdio: 'inherit' })
    child.on('error', () => resolve(null))
    child.on('close', code => resolve(code))
  })
}
