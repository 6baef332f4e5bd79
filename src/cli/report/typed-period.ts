import {
  type NamedMoment,
  PeriodFault,
  type PeriodName,
  periodOf,
  type ReportPeriod,
  sinceOf,
  type TypedPeriod,
  TypedPeriodFault,
} from '../../report/report-period.ts'
import { usageError } from '../command.ts'

/** @throws a usage error for an invalid, future or empty period */
export function typedPeriod(typed: TypedPeriod, now: number): ReportPeriod {
  return asUsage(() => periodOf(typed, now), typed)
}

/** Parses `--since`. A date, a month, or a time without a zone is in the account's time zone. */
export function typedSince(typed: string, now: number): NamedMoment {
  return asUsage(() => sinceOf(typed, now), { since: typed })
}

/** Turns an operation's fault of the period into a usage error about the options. */
export function inOptions(error: unknown): never {
  if (!(error instanceof PeriodFault)) throw error
  throw usageError(error.fault === 'future' ? '--since is in the future.' : '--since is not before --until.')
}

function asUsage<T>(read: () => T, typed: TypedPeriod): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypedPeriodFault)) throw error
    throw usageError(optionFault(error, typed))
  }
}

const takes: Record<PeriodName, string> = {
  since: 'a date (2026-11-20), a month (2026-11), an ISO 8601 time or an age (30d)',
  until: 'a date (2026-11-20), a month (2026-11), an ISO 8601 time or an age (30d)',
  month: 'a month such as 2026-10',
}

function optionFault({ part, fault }: TypedPeriodFault, typed: TypedPeriod): string {
  if (fault === 'future') return `--${part} is in the future.`
  if (fault === 'together') return '--month names the whole period: leave --since and --until out.'
  return `--${part} takes ${takes[part]}, not "${typed[part] ?? ''}".`
}
