import type { StoredAccount } from '../../account/account.ts'
import { startOfDay } from '../../lib/local-day.ts'
import { retentionCutoffs } from '../../processing/retention.ts'
import type { FiguresReport } from '../../report/figures.ts'
import type { StoredFigures } from '../../report/figures-reader.ts'
import { figuresReport } from '../../report/figures-report.ts'
import type { Box } from '../box.ts'
import type { ReportDays } from './report-period.ts'

export interface FiguresOfDays {
  figures: FiguresReport
  /** When the first of the days begins, epoch milliseconds. */
  fromAt: number
  known: StoredFigures['known']
}

/** The account's figures of these days, as processing has counted them by now. */
export async function figuresOfDays(
  { id, forms, settings }: StoredAccount,
  { fromDay, untilDay, today }: ReportDays & { today: number },
  { figures, clock }: Pick<Box, 'figures' | 'clock'>,
): Promise<FiguresOfDays> {
  const { timezone, retention, goals, funnels } = settings
  const fromAt = startOfDay(fromDay, timezone)
  // A day later, so that what an earlier time zone has counted for tomorrow stays out.
  const hasEnd = untilDay !== null && untilDay <= today + 1
  const until = hasEnd ? { day: untilDay, at: startOfDay(untilDay, timezone) } : null
  const stored = await figures.read(id, { fromDay, fromAt, until })
  const toDay = Math.max(fromDay, until === null ? today : until.day - 1)
  const { events } = retentionCutoffs(retention, clock.now())
  const knowsVisitors = until === null || events === null || fromAt >= events
  const report = figuresReport(stored, { fromDay, toDay, knowsVisitors, timezone }, { forms, goals, funnels })
  return { figures: report, fromAt, known: stored.known }
}
