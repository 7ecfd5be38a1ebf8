/** The terminal that the screen is shown on, as the command line hands it down. */
export interface Terminal {
  readonly size: () => Size
  readonly write: (bytes: string) => void
  /** what is typed, as it comes; until what it returns is called */
  readonly onInput: (listener: (chunk: string) => void) => () => void
  /** after a resize, and after the screen was left and entered again: all must be painted anew */
  readonly onRepaint: (listener: () => void) => () => void
  /** ctrl-z: gives the terminal back to the shell until the program is continued */
  readonly suspend: () => void
  /** gives the terminal to another program (an editor), and takes it back */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>
  /** opens a text in the person's editor; null where there is none, or it was left without a word */
  readonly edit: (text: string) => Promise<string | null>
  /** puts an id where a paste finds it, where the terminal takes it (OSC 52); false: it is not plain enough for that */
  readonly copy: (text: string) => boolean
  /** nobody is there any more: the terminal was closed */
  readonly onGone: (listener: () => void) => () => void
}

export interface Size {
  readonly columns: number
  readonly rows: number
}
