// `capture report` after real traffic says what a count over the exported records does (docs/reports.md).
import { expect, test } from 'bun:test'
import type { FiguresReport } from '../../src/report/figures.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { clicksByMessage, countOf, type ExportedRecords, leadsBy } from './harness/count-of-records.ts'
import { sendTraffic } from './harness/traffic.ts'

/** 25 hours apart: never the same date. */
const accounts = [
  { account: 'acme', timezone: 'Pacific/Kiritimati', visitors: 7 },
  { account: 'umbra', timezone: 'Pacific/Pago_Pago', visitors: 4 },
] as const

const files = { 'pages/launch.html': '<p>We launch.', 'pages/spring.html': '<p>Spring.' }
const forms = [aForm(), aForm({ id: 'signup01' })]

test('the report equals a count over the exported records, for two accounts in different time zones', async () => {
  await using box = await BinaryBox.make()
  for (const { account, timezone } of accounts) await box.apply(aSite({ account, timezone, forms, files }))
  const server = await box.serve()
  for (const { account, visitors } of accounts) await sendTraffic({ account, box, server, visitors })
  // Page views may lag; what it holds is written when it is stopped.
  await server.stop()
  for (const { account, timezone } of accounts) {
    const report = JSON.parse(await box.done(['report', account, '--json']))
    expectCounted(report, await exportedRecords(box, account))
    expectDatesIn(timezone, report)
  }
})

function expectCounted(report: FiguresReport, records: ExportedRecords): void {
  expect(report.totals).toEqual({ ...countOf(records), refused: 2, lostPageViews: 0 })
  // Without any of these nothing is proved.
  const { viewsByBots, likelyDuplicates, leads, clicks } = report.totals
  expect(Math.min(viewsByBots, likelyDuplicates, leads, clicks.human, clicks.machine)).toBeGreaterThan(0)
  expect(Object.fromEntries(report.forms.map(({ id, leads }) => [id, leads]))).toEqual(
    leadsBy(records, ({ formId }) => formId),
  )
  expect(Object.fromEntries(report.sources.map(({ source, leads }) => [source, leads]))).toEqual(
    leadsBy(records, ({ attribution }) => attribution.last?.source ?? 'unknown'),
  )
  expect(new Map<unknown, object>(report.messages.map(({ message, ...clicks }) => [message, clicks]))).toEqual(
    clicksByMessage(records),
  )
  expect(report.quarantined).toBe(records.submissions.filter(({ status }) => status === 'refused').length)
}

/** All of it happened just now, on the date that it is there; the test may run over midnight. */
function expectDatesIn(timeZone: string, { days, to }: FiguresReport): void {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const today = format.format(Date.now())
  expect(to).toBe(today)
  expect(days.map(({ date }) => date).slice(-1)).toEqual([today])
  expect(days.length).toBeLessThanOrEqual(2)
}

async function exportedRecords(box: BinaryBox, account: string): Promise<ExportedRecords> {
  const lines = async <T>(...words: string[]): Promise<T[]> =>
    (await box.done(['export', account, ...words])).split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
  return { submissions: await lines('submissions', '--all'), events: await lines('events') }
}
