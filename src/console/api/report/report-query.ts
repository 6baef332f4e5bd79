import { Type } from '@sinclair/typebox'
import { PeriodFault } from '../../../operations/report/report-period.ts'
import { TypedPeriodFault } from '../../../operations/report/typed-period.ts'
import { ApiError } from '../api-error.ts'

const time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

/** The options of `capture report`. */
export const periodProperties = {
  since: time('start: a date, a month, ISO 8601 or an age such as 30d, which is the default'),
  until: time('end, exclusive'),
  month: time('one month: 2026-10'),
}

/** Turns an invalid period into 422. */
export function unfitPeriod(error: unknown): never {
  if (error instanceof TypedPeriodFault || error instanceof PeriodFault) throw new ApiError('invalid', error.message)
  throw error
}
