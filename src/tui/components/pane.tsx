import { Box, Text } from 'ink'
import { memo } from 'react'
import type { Line } from '../screens/line.js'
import { THEME } from '../theme.js'

/** Lines one below the other. They are cut to their width before, so that nothing is wrapped here. */
export function Pane({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((one, i) => (
        // A line is its place: there is nothing else that stays.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Row key={i} text={one.text} tone={one.tone} />
      ))}
    </Box>
  )
}

const Row = memo(function Row({ text, tone }: { readonly text: Line['text']; readonly tone: Line['tone'] }) {
  return (
    <Text wrap="truncate" {...THEME[tone]}>
      {text === '' ? ' ' : text}
    </Text>
  )
})
