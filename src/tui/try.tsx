import { Box, render, Text } from 'ink'
import { FrameSink } from './frame-sink.js'
import { layoutReady } from './layout-ready.js'
import type { Terminal } from './terminal.js'

export async function tryIt(terminal: Terminal): Promise<void> {
  await layoutReady
  const sink = new FrameSink(terminal)
  const app = render(<Box flexDirection="column" height={terminal.size().rows}><Text>hello</Text><Text inverse>world</Text></Box>, {
    stdout: sink as unknown as NodeJS.WriteStream, debug: true, patchConsole: false, exitOnCtrlC: false,
  })
  await new Promise<void>(resolve => terminal.onInput(() => resolve()))
  app.unmount()
}
