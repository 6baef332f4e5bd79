import { localDay } from '../../lib/local-day.ts'
import type { FiguresReport } from '../../report/figures.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { caughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { figuresOfDays } from './figures-of-days.ts'
import { daysOf, type ReportPeriod, refuseToCome } from './report-period.ts'

export interface ReportWanted {
  account: string
  period: ReportPeriod
}

export interface AccountReport {
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
