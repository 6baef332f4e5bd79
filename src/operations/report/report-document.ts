import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import { reportedDays } from '../../delivery/report-due.ts'
import type { ReportLetter, ReportWriter, WantedReport } from '../../delivery/report-letter.ts'
import { localDay } from '../../lib/local-day.ts'
import { reportLetter } from '../../report/document/letter.ts'
import { type ComparedPeriods, comparedPeriods, type DayRange, documentPeriod } from '../../report/document/period.ts'
import type { RefusalNote, RefusalReason, ReportDocument } from '../../report/document/report-document.ts'
import { reportView } from '../../report/document/report-view.ts'
import type { FiguresReport } from '../../report/figures.ts'
import { daysOf, type ReportPeriod, refuseToCome } from '../../report/report-period.ts'
import { figuresAfter, sameTimeOn, withoutLater } from '../../report/same-hours.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { caughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import type { CountedCheck } from '../refusals/refusal-advice.ts'
import { figuresOfDays, type ReportingBox, type ReportWanted } from './read-report.ts'

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
  const { name, timezone, language, brand } = account.settings
  const today = localDay(box.clock.now(), timezone)
  const periods = comparedPeriods(documentPeriod(days), today)
  const { fromDay, untilDay } = periods.shown
  // Visitors up to now are known at once, those of a time that has ended are counted.
  const shown = { fromDay, untilDay: periods.isOver ? untilDay : null }
  const { figures } = await figuresOfDays(account, { ...shown, today }, box)
  const before = await figuresBefore(account, { periods, today }, box)
  return {
    account: { name, timezone, language, colour: brand.colour },
    periods,
    figures,
    before,
    refusals: refusalNotes(figures.refusals),
    waiting,
    madeOn: today,
    isExample,
  }
}

/** The figures to compare with: of a period that is not over, up to the time that it is today. */
async function figuresBefore(
  account: StoredAccount,
  { periods: { shownBefore, isOver }, today }: { periods: ComparedPeriods; today: number },
  box: Pick<ReportingBox, 'figures' | 'clock'>,
): Promise<FiguresReport> {
  const { fromDay, untilDay } = shownBefore
  const { figures } = await figuresOfDays(account, { ...shownBefore, today }, box)
  if (isOver) return figures
  const lastDay = untilDay - 1
  const part = sameTimeOn(lastDay, box.clock.now(), account.settings.timezone)
  const later = figuresAfter(await box.figures.hours(account.id, lastDay), part)
  const earlier = fromDay === lastDay ? null : await figuresOfDays(account, { fromDay, untilDay: lastDay, today }, box)
  return withoutLater(figures, later, earlier === null ? 0 : earlier.figures.totals.visitors)
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

/** One request that went wrong is an accident; from so many on it may be a page or a program to mend. */
const countMin = 5
const notesMax = 5

/** What the owner of a website, who runs no box, should hear of; `null`: nothing that owner could do. Bots are told of by the quarantine. */
const reasonOf: Record<CountedCheck, RefusalReason | null> = {
  origin: 'origin',
  tracking_key: 'trackingKey',
  form: 'form',
  content_type: 'unreadable',
  body: 'unreadable',
  events: 'unreadable',
  size: 'size',
  file_size: 'fileSize',
  file_type: 'fileType',
  file_field: 'fileField',
  upload_room: 'uploadRoom',
  scanner: 'scanner',
  uploads: 'tooMuchAsked',
  budget: 'tooMuchAsked',
  storage: 'storage',
  no_script: 'noScript',
  downloads: 'tooMuchDownloaded',
  downloads_per_address: 'tooMuchDownloaded',
  requests_per_address: 'tooMuchAsked',
  pipelined_requests: null,
  honeypot: null,
  bot_check: null,
  consent: null,
  incomplete: null,
  destination: null,
  file: null,
  file_infected: null,
}

/** Refused requests that the owner of a website should hear of, most first. */
export function refusalNotes(refusals: FiguresReport['refusals']): RefusalNote[] {
  const counts = new Map<RefusalReason, number>()
  for (const { endpoint, check, count } of refusals) {
    // A page beyond its budget was served, and a click led on: only the record was left out.
    const isHarmless = check === 'budget' && (endpoint === 'page' || endpoint === 'click')
    const reason = isHarmless || !Object.hasOwn(reasonOf, check) ? null : reasonOf[check as CountedCheck]
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return Array.from(counts, ([reason, count]) => ({ reason, count }))
    .filter(({ count, reason }) => count >= countMin || reason === 'storage')
    .sort((one, other) => other.count - one.count)
    .slice(0, notesMax)
}
