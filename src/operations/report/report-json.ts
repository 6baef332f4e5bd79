import type { FiguresReport } from '../../report/figures.ts'
import type { AccountReport } from './read-report.ts'

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
