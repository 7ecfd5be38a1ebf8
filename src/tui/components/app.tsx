import { Box, Text } from 'ink'
import { pictureOf } from '../screens/screen.js'
import type { Store } from '../store.js'
import { useScreen } from '../use-screen.js'
import { Pane } from './pane.js'

/** The screen as a view of the store. */
export function App({ store }: { readonly store: Store }) {
  const state = useScreen(store)
  const { head, left, right, foot } = pictureOf(state)
  const { columns, rows } = state.size
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Pane lines={head} />
      <Box flexDirection="row" flexShrink={0}>
        <Pane lines={left} />
        {right === null ? null : <Rule rows={left.length} />}
        {right === null ? null : <Pane lines={right} />}
      </Box>
      <Pane lines={foot} />
    </Box>
  )
}

function Rule({ rows }: { readonly rows: number }) {
  return (
    <Box width={2} flexShrink={0}>
      <Text dimColor>{Array.from({ length: rows }, () => '| ').join('\n')}</Text>
    </Box>
  )
}
