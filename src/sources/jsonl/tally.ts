/** How many lines have a field, and where the first is. */
export function createTally() {
  const found = new Map<string, { count: number; readonly where: string }>()
  return {
    add(name: string, where: string): void {
      const known = found.get(name)
      if (known === undefined) found.set(name, { count: 1, where })
      else known.count += 1
    },
    all: () => [...found].map(([name, seen]) => ({ name, ...seen })),
  }
}
