/** One member of a value somebody else made, whatever it is; undefined where there is none. Never throws. */
export function fieldOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    // A getter or a proxy may throw.
    return undefined
  }
}

/** What stands at `error.items.0.id`: names of members and numbers of list items, divided by dots. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inside, name) => {
    const isMember = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
    return isMember ? fieldOf(inside, name) : undefined
  }, value)
}

/** Text that is there and says something. */
export function someText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
