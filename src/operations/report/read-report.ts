import type { StoredAccount } from '../../account/account.ts'
import { localDay, startOfDay } from '../../lib/local-day.ts'
import { retentionCutoffs } from '../../processing/retention.ts'
import type { FiguresReport } from '../../report/figures.ts'
import { figuresReport } from '../../report/figures-report.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { caughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { daysOf, type ReportPeriod, refuseToCome } from './report-period.ts'

export interface ReportWanted {
  account: string
  period: ReportPeriod
}

export interface AccountReport {
  account: { handle: string; name: string; timezone: string }
  figures: FiguresReport
  /** When the first of its days begins, epoch milliseconds. */
  fromAt: number
  /** Records that are not processed yet, of all accounts. */
  waiting: number
}

/**
 * The account's figures as they are once what waits has been processed.
 *
 * @throws OperatorError when there is no account of that handle; PeriodFault
 */
export async function readReport(
  box: Pick<Box, 'accounts' | 'processing' | 'figures' | 'clock'>,
  { account: named, period }: ReportWanted,
  onNotice: OnRecordNotice,
): Promise<AccountReport> {
  const now = box.clock.now()
  const account = await accountNamed(box.accounts, named)
  const waiting = await caughtUp(box.processing, onNotice)
  const { handle, settings } = account
  const reported = { handle, name: settings.name, timezone: settings.timezone }
  return { account: reported, ...(await figuresOf(account, box, { period, now })), waiting }
}

async function figuresOf(
  { id, forms, settings: { timezone, retention } }: StoredAccount,
  { figures }: Pick<Box, 'figures'>,
  { period, now }: { period: ReportPeriod; now: number },
): Promise<{ figures: FiguresReport; fromAt: number }> {
  const today = localDay(now, timezone)
  const { fromDay, untilDay } = daysOf(period, timezone)
  const fromAt = startOfDay(fromDay, timezone)
  // A day later, so that what an earlier time zone has counted for tomorrow stays out.
  const hasEnd = untilDay !== null && untilDay <= today + 1
  const until = hasEnd ? { day: untilDay, at: startOfDay(untilDay, timezone) } : null
  const stored = await figures.read(id, { fromDay, fromAt, until })
  refuseToCome(fromDay, { today, knownLast: stored.known?.last ?? null })
  const toDay = Math.max(fromDay, until === null ? today : until.day - 1)
  const { events } = retentionCutoffs(retention, now)
  const knowsVisitors = until === null || events === null || fromAt >= events
  return { figures: figuresReport(stored, { fromDay, toDay, knowsVisitors, timezone }, forms), fromAt }
}
