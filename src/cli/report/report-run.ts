import type { StoredAccount } from '../../account/account.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { localDay, startOfDay } from '../../processing/figures/local-day.ts'
import { retentionCutoffs } from '../../processing/retention.ts'
import type { FiguresReport } from '../../report/figures.ts'
import { figuresReport } from '../../report/figures-report.ts'
import type { CommandBox } from '../open.ts'
import { toJson } from '../output/json.ts'
import { caughtUp } from '../record/catch-up.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'
import { drawnFor } from './bar.ts'
import { reportHints, reportText } from './report-text.ts'
import { daysOf, type ReportPeriod, refuseToCome } from './typed-period.ts'

interface ReportRequest {
  /** The account's. */
  handle: string
  period: ReportPeriod
  /** Epoch milliseconds. */
  now: number
  json: boolean
}

/** Prints the account's figures as they are once what waits has been processed. */
export async function runReport({ handle, json, ...asked }: ReportRequest, session: Session): Promise<void> {
  const { account, figures, fromAt, waiting } = await withBox(session, async (box) => {
    const account = await accountNamed(box.accounts, handle)
    const waiting = await caughtUp(box.processing, session)
    return { account, ...(await figuresOf(account, box, asked)), waiting }
  })
  const { name, timezone } = account.settings
  const text = json
    ? toJson({ account: account.handle, name, timezone, ...figures, waiting })
    : reportText(
        figures,
        { account: { handle: account.handle, name, timezone }, waiting },
        drawnFor(session.out, session.env),
      )
  await session.out.write(text)
  if (!json) session.err.write(reportHints(figures, { handle: account.handle, fromAt }))
}

async function figuresOf(
  { id, forms, settings: { timezone, retention } }: StoredAccount,
  { figures }: Pick<CommandBox, 'figures'>,
  { period, now }: Pick<ReportRequest, 'period' | 'now'>,
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
