import { defineCommand } from './command.ts'

const sinceByDefault = '30d'

export const report = defineCommand({
  name: 'report',
  summary: 'Shows visits, visitors, leads, clicks and refusals of an account, day by day',
  details: `Days are those of the account's time zone, also that of --since: a time is widened to its day. docs/reports.md says what
each figure counts.
  capture report acme
  capture report acme --since 2026-11-01 > november.txt
--json prints { "account", "name", "timezone", "from", "to", "totals", "days": [{ "date", … }], "forms", "sources", "messages",
"refusals", "quarantined", "known", "waiting" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { since: { value: 'T', summary: `from T on: ISO 8601 or an age (default: ${sinceByDefault})` } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const now = session.clock.now()
    const { typedSince } = await import('./report-since.ts')
    const since = typedSince(options.since ?? sinceByDefault, now)
    const { runReport } = await import('./report-run.ts')
    await runReport({ handle: args.account, since, now, json }, session)
    return 0
  },
})
