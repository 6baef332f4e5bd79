/** Where the statements are, and the folder of what only SQLite understands. */
export const statements = 'src/storage/sqlite/'
export const lookup = `${statements}lookup/`

/** A piece of SQL inside a statement of Drizzle's. Schemas need it for checks and partial indexes. */
export const drizzlePiece = /(?<![.\w])sql(?:<[^>`]*>)?`/

/** JSON operators, rows by the number SQLite gives them, and hints to its planner. */
export const ownToSqlite =
  /->>|->\s*'|\bjson_extract\b|\b(?:_?rowid_?|oid)\b|\bCROSS JOIN\b|\bINDEXED\b|\b(?:un)?like(?:ly|lihood)\(|\b(?:WHERE|AND|OR|ON|BY) \+\w/

/** Statements that run for every entry. */
export const forEveryEntry = /^src\/storage\/sqlite\/(?:commit\/batch-|processing\/[\w-]+-rows|processing\/step)/

/** Reads pages of the database file itself, whose cells have row numbers by no other name. */
export const readsPages: readonly string[] = ['forgetting/residue.ts']

/** The option with which Drizzle begins a transaction that writes. */
export const takesWriteLock = /\bbehavior: 'immediate'/
