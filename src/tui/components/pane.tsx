import { Box, Text } from 'ink'
import { memo } from 'react'
import type { Line } from '../screens/line.js'
import { THEME } from '../theme.js'

interface Props {
  readonly lines: readonly Line[]
  readonly columns: number
}

/** Lines one below the other. They are cut to its width before, so that nothing is wrapped here. */
export function Pane({ lines, columns }: Props) {
  return (
    <Box flexDirection="column" flexShrink={0} width={columns}>
      {lines.map((one, i) => (
        // A line is its place: there is nothing else that stays.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Row key={i} text={one.text} tone={one.tone} />
      ))}
    </Box>
  )
}

const Row = memo(function Row({ text, tone }: { readonly text: Line['text']; readonly tone: Line['tone'] }) {
  // Ink takes each frame apart character by character: blanks that nobody sees are not given to it.
  const seen = tone === 'selected' ? text : text.trimEnd()
  return (
    <Text wrap="truncate" {...THEME[tone]}>
      {seen === '' ? ' ' : seen}
    </Text>
  )
})
