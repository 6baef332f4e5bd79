import { Type } from '@sinclair/typebox'
import { parseInstant } from '../../lib/age.ts'
import { ApiError } from './api-error.ts'

const instantText = Type.Optional(
  Type.String({ maxLength: 40, description: 'ISO 8601 (2026-11-20, 2026-11-20T09:30:00Z) or an age (30d, 12h)' }),
)

/** A period, as the commands take it. */
export const periodQuery = Type.Object({ since: instantText, until: instantText })

interface PeriodText {
  since?: string | undefined
  until?: string | undefined
}

/** Epoch milliseconds; `null`: no limit. @throws ApiError `invalid` */
export function periodIn({ since, until }: PeriodText, now: number): { since: number | null; until: number | null } {
  const period = { since: instantIn('since', since, now), until: instantIn('until', until, now) }
  if (period.since !== null && period.until !== null && period.since >= period.until)
    throw new ApiError('invalid', '`since` is not before `until`.')
  return period
}

function instantIn(name: keyof PeriodText, text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = parseInstant(text, now)
  if (at !== null) return at
  throw new ApiError('invalid', `\`${name}\` takes an ISO 8601 time (2026-11-20T09:30:00Z) or an age (30d, 12h).`)
}
