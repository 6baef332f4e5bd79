import { parseAge, parseInstant } from '../../lib/age.ts'
import { usageError } from '../command.ts'

/** The instant an option names, epoch milliseconds; `null`: the option was not given. */
export function typedInstant(option: string, typed: string | undefined, now: number): number | null {
  if (typed === undefined) return null
  const at = parseInstant(typed, now)
  if (at !== null) return at
  throw usageError(`${option} takes an ISO 8601 time (2026-11-20T09:30:00Z) or an age (30d, 12h), not "${typed}".`)
}

/** The length of time an option names, in milliseconds; `null`: the option was not given. */
export function typedDuration(option: string, typed: string | undefined, msMax: number): number | null {
  if (typed === undefined) return null
  const ms = parseAge(typed)
  if (ms === null) throw usageError(`${option} takes a length of time such as 1h, 12h or 7d, not "${typed}".`)
  if (ms <= msMax) return ms
  throw usageError(`${option} ${typed} is too long: at most ${Math.floor(msMax / dayMs)}d.`)
}

const dayMs = 86_400_000

/** The number that `--limit` names; `null`: it was not given. @param more what prints more than `limitMax`, as a sentence */
export function typedLimit(typed: string | undefined, limitMax: number, more = ''): number | null {
  if (typed === undefined) return null
  const limit = Number(typed)
  if (/^\d+$/.test(typed) && limit >= 1 && limit <= limitMax) return limit
  throw usageError(`--limit takes a number from 1 to ${limitMax}, not "${typed}".${more}`)
}

/** The version that an option names, as `capture page history` numbers them; `null`: the option was not given. */
export function typedVersion(option: string, typed: string | undefined): number | null {
  if (typed === undefined) return null
  if (/^[1-9][0-9]{0,8}$/.test(typed)) return Number(typed)
  throw usageError(`${option} takes the number of a version (1, 2, …), not "${typed}".`)
}
