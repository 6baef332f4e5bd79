import { usageError } from '../command.ts'

/** The number that `--limit` names; `null`: it was not given. @param more what prints more than `limitMax`, as a sentence */
export function typedLimit(typed: string | undefined, limitMax: number, more = ''): number | null {
  if (typed === undefined) return null
  const limit = Number(typed)
  if (/^\d+$/.test(typed) && limit >= 1 && limit <= limitMax) return limit
  throw usageError(`--limit takes a number from 1 to ${limitMax}, not "${typed}".${more}`)
}
