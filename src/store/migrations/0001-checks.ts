// The checks repeat the model, so that a program in another language cannot write what cannot be.

/** 1 to 512 bytes, no control characters (C0, DEL, C1, NUL). Anything else is opaque. */
export const isId = (column: string) => `(
    length(cast(${column} as blob)) between 1 and 512
    and instr(cast(${column} as blob), x'00') = 0
    and ${column} not glob '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
  )`

export const isJson = (column: string) => `(json_valid(${column}))`
/** The 32 bytes of SHA-256: half of what they take as text. */
export const isDigest = (column: string) => `(length(${column}) = 32)`
export const isFlag = (column: string) => `(${column} in (0, 1))`
