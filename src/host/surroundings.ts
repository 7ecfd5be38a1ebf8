/** The environment, folder and Node of this process, as they are now. */
export function surroundings() {
  return { env: process.env, folder: folderOfProcess(), node: process.execPath }
}

// The folder may have been removed under us.
function folderOfProcess(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}
