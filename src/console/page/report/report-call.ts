import { localDay } from '../../../lib/local-day.ts'
import { presentDocument } from '../../../operations/report/report-document.ts'
import { type ReportView, reportView } from '../../../report/document/report-view.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { AccountPageCall } from '../page.ts'
import { type AskedPeriod, askedPeriod } from './asked-period.ts'

/** The days that the request asks for, in the account's time zone. */
export const periodOfCall = (
  { account, url }: Pick<AccountPageCall, 'account' | 'url'>,
  { clock }: Pick<ConsoleBox, 'clock'>,
): AskedPeriod => askedPeriod(url.searchParams, localDay(clock.now(), account.settings.timezone))

/** The report of these days, with the current figures. */
export async function viewOf(
  { account }: Pick<AccountPageCall, 'account'>,
  { fromDay, untilDay }: AskedPeriod,
  box: ConsoleBox,
): Promise<ReportView> {
  const period = { since: { day: fromDay, timeMs: 0 }, until: { day: untilDay, timeMs: 0 } }
  return reportView(await presentDocument(account, period, box))
}
