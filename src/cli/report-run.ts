import type { StoredAccount } from '../account/account.ts'
import { localDay, startOfDay } from '../processing/figures/local-day.ts'
import type { FiguresReport } from '../report/figures.ts'
import { figuresReport } from '../report/figures-report.ts'
import { accountNamed } from './account-named.ts'
import { caughtUp } from './catch-up.ts'
import type { Box } from './open.ts'
import { toJson } from './output/json.ts'
import { drawnFor } from './report-bar.ts'
import { firstDay, type ReportSince, refuseToCome } from './report-since.ts'
import { reportHints, reportText } from './report-text.ts'
import type { Session } from './session.ts'
import { withBox } from './with-box.ts'

interface ReportRequest {
  /** The account's. */
  handle: string
  since: ReportSince
  /** Epoch milliseconds. */
  now: number
  json: boolean
}

/** Prints the account's figures as they are once what waits has been processed. */
export async function runReport({ handle, json, ...period }: ReportRequest, session: Session): Promise<void> {
  const { account, figures, fromAt, waiting } = await withBox(session, async (box) => {
    const account = await accountNamed(box.accounts, handle)
    const waiting = await caughtUp(box.processing, session)
    return { account, ...(await figuresOf(account, box, period)), waiting }
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
  { id, forms, settings: { timezone } }: StoredAccount,
  { figures }: Pick<Box, 'figures'>,
  { since, now }: Pick<ReportRequest, 'since' | 'now'>,
): Promise<{ figures: FiguresReport; fromAt: number }> {
  const [fromDay, today] = [firstDay(since, timezone), localDay(now, timezone)]
  const fromAt = startOfDay(fromDay, timezone)
  const stored = await figures.read(id, { fromDay, fromAt })
  refuseToCome(fromDay, { today, knownLast: stored.known?.last ?? null })
  const period = { fromDay, toDay: Math.max(fromDay, today), timezone }
  return { figures: figuresReport(stored, period, forms), fromAt }
}
