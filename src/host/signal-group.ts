/** Signals every process of a group; one that is gone already needs none. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch (error) {
    // EPERM: the kernel of macOS says so of a group that holds only zombies; else of processes under another user.
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
