import { Box, Text } from 'ink'
import { layoutOf, RULE } from '../layout.js'
import { pictureOf } from '../screens/screen.js'
import type { Store } from '../store.js'
import { useScreen } from '../use-screen.js'
import { Pane } from './pane.js'

/** The screen as a view of the store. */
export function App({ store }: { readonly store: Store }) {
  const state = useScreen(store)
  const { head, left, right, foot } = pictureOf(state)
  const { columns, rows } = state.size
  const { listColumns, detailColumns } = layoutOf(state)
  return (
    // Lines are cut to their pane: were this to hide what hangs over, Ink would cut each of them again at every frame.
    <Box flexDirection="column" width={columns} height={rows}>
      <Pane lines={head} columns={columns} />
      <Box flexDirection="row" flexShrink={0}>
        <Pane lines={left} columns={right === null ? columns : listColumns} />
        {right === null ? null : <Rule rows={left.length} isBright={state.focus === 'detail'} />}
        {right === null ? null : <Pane lines={right} columns={detailColumns} />}
      </Box>
      <Pane lines={foot} columns={columns} />
    </Box>
  )
}

function Rule({ rows, isBright }: { readonly rows: number; readonly isBright: boolean }) {
  return (
    <Box width={RULE.length} flexShrink={0}>
      <Text dimColor={!isBright}>{Array.from({ length: rows }, () => RULE).join('\n')}</Text>
    </Box>
  )
}
