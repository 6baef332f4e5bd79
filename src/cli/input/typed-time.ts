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
