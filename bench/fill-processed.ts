import { Database } from 'bun:sqlite'
import { localDay } from '../src/lib/local-day.ts'
import { entryKinds } from '../src/storage/sqlite/ledger/ledger-codec.ts'
import { databaseFile } from './database-file.ts'

/** Devices that the entries are spread over, and days that they are spread over. */
const entriesPerDevice = 10
const days = 90
/** Figures outlive the entries they count: those of a year, the year before, and one more. */
const daysOfFigures = 3 * 366
/** Names that figures are split by, each on every day. */
const names = { forms: 10, sources: 50, mediums: 6, campaigns: 30, pages: 40, devices: 4, messages: 20, returns: 300 }
const hoursOfDay = 24

/** Makes what processing would have made of the stored entries, without its hours of work. No server may run meanwhile. */
export function fillProcessed(dataFolder: string): void {
  using database = new Database(databaseFile(dataFolder), { strict: true })
  const parameters = { today: localDay(Date.now(), 'UTC'), days, daysOfFigures, entriesPerDevice }
  for (const statement of [...devices, submissionFacts, quarantineCounts, ...figures(), months, refusals])
    database.query(statement).run(parameters)
  database.run('UPDATE processing SET cursor = (SELECT max(sequence) FROM ledger)')
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

const numbers = (name: string, count: string | number): string =>
  `${name}(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ${name} WHERE n + 1 < ${count})`

/** Every device has been there on some day, and comes back. */
const devices = [
  `INSERT INTO device (account_row, id, hit_at, view_day)
     SELECT account_row, id, received_at, $today - abs(random()) % $days FROM ledger WHERE sequence % $entriesPerDevice = 0`,
  `INSERT INTO device_entry (device_row, received_at, sequence, kind, day, counted)
     SELECT 1 + sequence / $entriesPerDevice, received_at, sequence, kind, $today, 4 FROM ledger`,
]

const submissionFacts = `INSERT INTO submission_fact (sequence, account_row, id, form_id, device_kind, received_at, status)
  SELECT sequence, account_row, id, record ->> '$.formId', 'phone', received_at, record ->> '$.status'
  FROM ledger WHERE kind = ${entryKinds.submission}`

const quarantineCounts = `INSERT INTO quarantine_count (account_row, quarter_hour, count)
  SELECT account_row, received_at / 900000, count(*) FROM submission_fact WHERE status = 'refused' GROUP BY 1, 2`

function figures(): string[] {
  const plain = ['view', 'view_bot', 'visit', 'visitor', 'visitor_last', 'event', 'event_bot']
  const hourly = ['hour_view', 'hour_visit', 'hour_visitor', 'hour_lead', 'hour_click']
  const split: [measure: string, count: number][] = [
    ['lead', names.forms],
    ['duplicate', names.forms],
    ...(['visit', 'visitor', 'lead'] as const).flatMap((counted): typeof split => [
      [`${counted}_source`, names.sources],
      [`${counted}_medium`, names.mediums],
      [`${counted}_campaign`, names.campaigns],
      [`${counted}_page`, names.pages],
      [`${counted}_device`, names.devices],
    ]),
    ['page', names.pages],
    ['click_human', names.messages],
    ['click_suspected', names.messages],
    ['click_machine', names.messages],
  ]
  return [
    ...plain.map((measure) => dailyFigures(measure, { names: 1, name: `''` })),
    ...split.map(([measure, count]) => dailyFigures(measure, { names: count, name: `'name ' || name.n` })),
    ...hourly.map((measure) => dailyFigures(measure, { names: hoursOfDay, name: '($today - day.n) * 24 + name.n' })),
    // From each of the 30 days before, by ten channels.
    dailyFigures('visitor_return', { names: names.returns, name: dayLeft }),
  ]
}

const dayLeft = `json_array($today - day.n - 1 - name.n / 10, 'name ' || (name.n % 10), 'cpc', 'name ' || (name.n % 3), '/launch', 'phone')`

const dailyFigures = (measure: string, split: { names: number; name: string }): string =>
  `WITH ${numbers('day', '$daysOfFigures')}, ${numbers('name', split.names)}
    INSERT INTO day_figure (account_row, day, measure, name, count)
      SELECT account.row, $today - day.n, '${measure}', ${split.name}, 1 + abs(random()) % 1000 FROM account, day, name`

/** The service adds them up when it starts. */
const months = `INSERT INTO month_figure (account_row, first_day)
  SELECT DISTINCT account_row, CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400
  FROM day_figure`

/** As many as are kept: of 90 days, in every hour. */
const refusals = `WITH ${numbers('hour', '$days * 24')}, ${numbers('reason', 4)}
  INSERT INTO refusal_count (account_row, hour, endpoint, "check", origin, count)
    SELECT account.row, $today * 24 - hour.n, 'form', 'check ' || reason.n, '', 1 FROM account, hour, reason`
