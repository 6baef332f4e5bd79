import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { localDay, startOfDay } from '../../lib/local-day.ts'
import type { FiguresReport } from '../../report/figures.ts'
import type { StoredFigures } from '../../report/figures-reader.ts'
import { figuresReport } from '../../report/figures-report.ts'
import type { PeriodName } from '../../report/report-period.ts'
import { daysOf, type ReportDays, type ReportPeriod, refuseToCome } from '../../report/report-period.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { caughtUp, type OnRecordNotice } from '../record/catch-up.ts'

const time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

/** A period as a call names it. */
export const typedPeriod = Type.Object({
  since: time('start: a date, a month, ISO 8601 or an age such as 30d, which is the default'),
  until: time('end, exclusive'),
  month: time('one month: 2026-10'),
} satisfies Record<PeriodName, unknown>)

export interface ReportWanted {
  account: string
  period: ReportPeriod
}

interface AccountReport {
  account: { handle: string; name: string; timezone: string }
  figures: FiguresReport
  /** When the report's first day begins, epoch milliseconds. */
  fromAt: number
  /** Unprocessed records of all accounts. */
  waiting: number
}

/** What a report reads of the box. */
export type ReportingBox = Pick<Box, 'accounts' | 'processing' | 'figures' | 'clock'>

/**
 * The account's figures, after waiting records were processed.
 *
 * @throws OperatorError when there is no account of that handle; PeriodFault
 */
export async function readReport(
  box: ReportingBox,
  { account: named, period }: ReportWanted,
  onNotice: OnRecordNotice,
): Promise<AccountReport> {
  const account = await accountNamed(box.accounts, named)
  const { handle, settings } = account
  const { name, timezone } = settings
  const today = localDay(box.clock.now(), timezone)
  const waiting = await caughtUp(box.processing, onNotice)
  const days = daysOf(period, timezone)
  const { figures, fromAt, known } = await figuresOfDays(account, { ...days, today }, box)
  refuseToCome(days.fromDay, { today, knownLast: known?.last ?? null })
  return { account: { handle, name, timezone }, figures, fromAt, waiting }
}

interface FiguresOfDays {
  figures: FiguresReport
  /** When the first of the days begins, epoch milliseconds. */
  fromAt: number
  known: StoredFigures['known']
}

/** The account's figures of these days, as processing has counted them by now. */
export async function figuresOfDays(
  { id, forms, settings }: StoredAccount,
  { fromDay, untilDay, today }: ReportDays & { today: number },
  { figures }: Pick<Box, 'figures'>,
): Promise<FiguresOfDays> {
  const { timezone, goals, funnels, splits } = settings
  const fromAt = startOfDay(fromDay, timezone)
  // A day later, so that what an earlier time zone has counted for tomorrow stays out.
  const hasEnd = untilDay !== null && untilDay <= today + 1
  const until = hasEnd ? { day: untilDay, at: startOfDay(untilDay, timezone) } : null
  const stored = await figures.read(id, { fromDay, fromAt, until })
  const toDay = Math.max(fromDay, until === null ? today : until.day - 1)
  const report = figuresReport(stored, { fromDay, toDay, timezone }, { forms, goals, funnels, splits })
  return { figures: report, fromAt, known: stored.known }
}

/** A report as `capture report --json` prints it and the API answers (docs/reports.md, "JSON"). */
export interface ReportJson extends FiguresReport {
  account: string
  name: string
  timezone: string
  waiting: number
}

export const reportJson = ({ account, figures, waiting }: Omit<AccountReport, 'fromAt'>): ReportJson => ({
  account: account.handle,
  name: account.name,
  timezone: account.timezone,
  ...figures,
  waiting,
})
