/** Where the name of whoever decides came from, in the order in which it is looked for. */
export const ACTOR_LABELS = ['flag', 'env', 'config', 'git', 'ci', 'os'] as const

/** Who decides, as the record keeps it: where the name came from, a colon, the name. `git:ana@example.com` */
export type Actor = `${(typeof ACTOR_LABELS)[number]}:${string}`

/** For people: `ana@example.com (git)`. What has no such label is as the program that wrote it named itself. */
export function actorWords(actor: string): string {
  const at = actor.indexOf(':')
  const [label, name] = [actor.slice(0, Math.max(at, 0)), actor.slice(at + 1)]
  return name !== '' && ACTOR_LABELS.some(known => known === label) ? `${name} (${label})` : actor
}

/** The name alone, for columns that are narrow. */
export function actorName(actor: string): string {
  return actorWords(actor).replace(/ \((\w+)\)$/s, (whole, label: string) =>
    ACTOR_LABELS.some(known => known === label) ? '' : whole,
  )
}

/** Every form in which the record may hold whom a person names: with its label, without, or as it is shown. */
export function actorForms(typed: string): readonly string[] {
  const [, name = '', label = ''] = /^(.+) \((\w+)\)$/s.exec(typed) ?? []
  if (ACTOR_LABELS.some(known => known === label)) return [typed, `${label}:${name}`]
  return [typed, ...ACTOR_LABELS.map(known => `${known}:${typed}`)]
}
