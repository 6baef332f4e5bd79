import type { AccountStore } from '../../account/account-store.ts'
import { reportedDays } from '../../delivery/report-due.ts'
import type { ReportLetter, ReportWriter, WantedReport } from '../../delivery/report-letter.ts'
import { reportLetter } from '../../report/document/letter.ts'
import { reportView } from '../../report/document/report-view.ts'
import type { Box } from '../box.ts'
import { documentOf } from './report-document.ts'

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
