import { listNames } from '../../report/figures.ts'
import { sinceByDefault } from '../../report/report-period.ts'
import { defineCommand } from '../command.ts'

export const report = defineCommand({
  name: 'report',
  summary: 'Shows visits, visitors, leads, clicks and refusals of an account, day by day',
  details: `Days are those of the account's time zone, and so is a date or a time without a zone; a time is widened to its day. --until
is not included. docs/reports.md says what each figure counts.
  capture report acme
  capture report acme --month 2026-10
  capture report acme --since 2026-10-15 --until 2026-11-01 > autumn.txt
  capture report acme --month 2026-10 --html october.html
--html writes a page for the account's owner: with the previous period beside it, in the account's name and colour, for screen and paper.
--json prints { "account", "name", "timezone", "from", "to", "totals", "days": [{ "date", … }],
${listNames.map((name) => `"${name}"`).join(', ')}, "channels", "goals", "funnels", "splits", "refusals", "missing", "quarantined", "known", "waiting" }.`,
  args: { account: { summary: "the account's handle" } },
  options: {
    since: { value: 'T', summary: `from T on: a date, a month, ISO 8601 or an age (default: ${sinceByDefault})` },
    until: { value: 'T', summary: `before T; without --since, the ${sinceByDefault} before T` },
    month: { value: 'MONTH', summary: 'one month: 2026-10' },
    html: {
      value: 'FILE',
      summary: 'write it to FILE as one HTML page, in place of an earlier one; -: to standard output',
    },
  },
  async run({ args, options, json }, session) {
    const now = session.clock.now()
    const { inOptions, typedPeriod } = await import('./typed-period.ts')
    const period = typedPeriod(options, now)
    if (options.html !== undefined) {
      const { writeReportPage } = await import('./report-page.ts')
      return writeReportPage({ account: args.account, period, html: options.html, json }, session)
    }
    const { reportHints, reportText } = await import('./report-text.ts')
    const { readReport, reportJson } = await import('../../operations/report/read-report.ts')
    const { noticesTo } = await import('../record/record-notices.ts')
    const onNotice = noticesTo(session.err)
    const wanted = { account: args.account, period }
    const read = await session.withBox((box) => readReport(box, wanted, onNotice)).catch(inOptions)
    const { account, figures, fromAt, waiting } = read
    return {
      json: reportJson(read),
      text: (layout) => reportText(figures, { account, waiting }, layout),
      notes: json ? [] : reportHints(figures, { handle: account.handle, fromAt }),
    }
  },
})
