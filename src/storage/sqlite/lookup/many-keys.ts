/** The keys themselves: `?1`, a JSON array. */
export const eachKey = 'FROM json_each(?1) asked'

/**
 * A table's rows for each key. `CROSS JOIN` fixes the order: SQLite would rather scan the table and look each row's key
 * up.
 */
export const forEachKey = (table: string): string => `${eachKey} CROSS JOIN ${table}`

/** Another table's rows for each row found. */
export const andThen = (table: string): string => `CROSS JOIN ${table}`

/** The key of a row, if it is a single value. */
export const wholeKey = 'asked.value'

/** A part of a row's key, if keys are arrays; the first is 0. */
export const keyPart = (part: number): string => `asked.value ->> ${part}`

/** Whether the key has parts: `null` keys are skipped. */
export const isListKey = "asked.type = 'array'"

/** A column: the position of the key that a row answers. */
export const position = 'asked.key AS position'
