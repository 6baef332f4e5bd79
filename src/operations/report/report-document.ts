import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import { reportedDays } from '../../delivery/report-due.ts'
import type { ReportLetter, ReportWriter, WantedReport } from '../../delivery/report-letter.ts'
import { localDay } from '../../lib/local-day.ts'
import { reportLetter } from '../../report/document/letter.ts'
import { comparedPeriods, type DayRange, documentPeriod } from '../../report/document/period.ts'
import type { ReportDocument } from '../../report/document/report-document.ts'
import { reportView } from '../../report/document/report-view.ts'
import { daysOf, type ReportPeriod, refuseToCome } from '../../report/report-period.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { caughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { figuresOfDays, type ReportingBox, type ReportWanted } from './read-report.ts'
import { refusalNotes } from './refusal-notes.ts'

/**
 * What a report for the account's owner says of a period and the one before, once what waits has been processed.
 *
 * @throws OperatorError when there is no account of that handle; PeriodFault
 */
export async function readReportDocument(
  box: ReportingBox,
  { account: named, period }: ReportWanted,
  onNotice: OnRecordNotice,
): Promise<{ handle: string; document: ReportDocument }> {
  const account = await accountNamed(box.accounts, named)
  const days = documentDays(account, period, box)
  const waiting = await caughtUp(box.processing, onNotice)
  return { handle: account.handle, document: await documentOf(account, { days, waiting, isExample: false }, box) }
}

/**
 * The same at once, for a page that somebody waits for: what the service has yet to process is not waited for.
 *
 * @throws PeriodFault
 */
export async function presentDocument(
  account: StoredAccount,
  period: ReportPeriod,
  box: Pick<ReportingBox, 'processing' | 'figures' | 'clock'>,
): Promise<ReportDocument> {
  const days = documentDays(account, period, box)
  const { waiting } = await box.processing.state()
  return documentOf(account, { days, waiting, isExample: false }, box)
}

/** Up to today where the period has no end. @throws PeriodFault */
function documentDays(
  { settings: { timezone } }: StoredAccount,
  period: ReportPeriod,
  { clock }: Pick<ReportingBox, 'clock'>,
): DayRange {
  const today = localDay(clock.now(), timezone)
  const { fromDay, untilDay } = daysOf(period, timezone)
  refuseToCome(fromDay, { today, knownLast: null })
  return { fromDay, untilDay: untilDay ?? today + 1 }
}

/** The same of an account that is at hand, of days of its time zone that have begun. */
async function documentOf(
  account: StoredAccount,
  { days, waiting, isExample }: { days: DayRange; waiting: number; isExample: boolean },
  box: Pick<ReportingBox, 'figures' | 'clock'>,
): Promise<ReportDocument> {
  const { name, timezone, brand } = account.settings
  const today = localDay(box.clock.now(), timezone)
  const periods = comparedPeriods(documentPeriod(days), today)
  const { fromDay, untilDay } = periods.shown
  // Visitors up to now are known at once, those of a time that has ended are counted.
  const shown = { fromDay, untilDay: periods.isOver ? untilDay : null }
  const { figures } = await figuresOfDays(account, { ...shown, today }, box)
  const { figures: before } = await figuresOfDays(account, { ...periods.shownBefore, today }, box)
  return {
    account: { name, timezone, colour: brand.colour },
    periods,
    figures,
    before,
    refusals: refusalNotes(figures.refusals),
    waiting,
    madeOn: today,
    isExample,
  }
}

interface WritingBox extends Pick<Box, 'figures' | 'clock'> {
  accounts: Pick<AccountStore, 'find' | 'list'>
  /** How many records are not processed yet. */
  waiting: () => Promise<number>
}

/** Writes the letters of reports from an account's figures as they are now. */
export const reportWriter = (box: WritingBox): ReportWriter => ({
  async letter({ accountId, period, isExample }: WantedReport): Promise<ReportLetter | null> {
    const named = (await box.accounts.list()).find(({ id }) => id === accountId)
    const account = named === undefined ? null : await box.accounts.find(named.handle)
    if (account === null) return null
    const wanted = { days: reportedDays(period), waiting: await box.waiting(), isExample }
    return reportLetter(reportView(await documentOf(account, wanted, box)))
  },
})
