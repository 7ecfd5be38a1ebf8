/** What differs from run to run, and what stands in its place when two runs are compared. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/\b(?:pid|process) \d+/g, 'pid <n>'],
  // Who holds a lease: machine, boot, process, namespaces, start.
  [/\S+(?:\/[0-9a-f.-]+){4}\/[0-9a-f]+\.\d+/g, '<owner>'],
  [/sha256:[0-9a-f]{6,64}/g, 'sha256:<hex>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|min|m|h)\b/g, '<age>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  // Columns are as wide as their widest cell, and an age may be wider the next time.
  [/ {2,}/g, '  '],
]

/** The text with times, ages, ports, process ids and digests taken out, to compare two runs of one session. */
export function steady(text: string): string {
  return VARYING.reduce((left, [pattern, stand]) => left.replace(pattern, stand), text)
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}
