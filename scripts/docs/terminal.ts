import { spawn } from '@lydell/node-pty'

export interface OnTerminal {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly columns: number
}

/** Runs a command line in a shell on a real pseudo-terminal and resolves to what a person would have seen. */
export function onTerminal(line: string, { cwd, env, columns }: OnTerminal): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = spawn('/bin/sh', ['-c', line], {
      cwd,
      env: { ...env, NO_COLOR: '1' },
      cols: columns,
      rows: 50,
    })
    let seen = ''
    shell.onData(data => {
      seen += data
    })
    shell.onExit(({ exitCode }) => {
      const text = seen.replaceAll('\r\n', '\n')
      if (exitCode === 0) resolve(text)
      else reject(new Error(`\`${line}\` ended with ${exitCode}:\n${text}`))
    })
  })
}
