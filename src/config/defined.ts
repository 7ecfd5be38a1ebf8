export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The object without the members that are undefined. */
export function defined<T extends object>(object: T): Defined<T> {
  // Members that may be undefined are optional in the result, and those that are undefined are left out of it.
  return Object.fromEntries(Object.entries(object).filter(([, one]) => one !== undefined)) as Defined<T>
}
