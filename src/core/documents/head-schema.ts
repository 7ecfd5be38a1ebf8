import * as z from 'zod'

/** What every document begins with. `ledger` is what a person types to name it; null where none was read. */
export function headed<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.strictObject({
    schema: z.literal(`agent-ledger/${name}`),
    ledger: z.string().nullable(),
    as_of: z.iso.datetime({ precision: 3 }),
    ...shape,
  })
}
