import { Database } from 'bun:sqlite'
import { localDay } from '../src/lib/local-day.ts'
import { databaseFile } from './database-file.ts'

/** Devices that the entries are spread over, and days that they are spread over. */
const entriesPerDevice = 10
const days = 90
/** Names that figures are split by, each on every day. */
const names = { forms: 10, sources: 50, pages: 40, messages: 20 }
/** As many as an account keeps (contract section 8). */
const quarantined = 100_000

/** Makes what processing would have made of the stored entries, without its hours of work. No server may run meanwhile. */
export function fillProcessed(dataFolder: string): void {
  using database = new Database(databaseFile(dataFolder), { strict: true })
  const parameters = { today: localDay(Date.now(), 'UTC'), days, entriesPerDevice, quarantined }
  for (const statement of [...devices, ...figures(), ...refusals]) database.query(statement).run(parameters)
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

function figures(): string[] {
  const plain = ['view', 'view_bot', 'visit', 'visitor', 'visitor_last', 'event', 'event_bot']
  const split: [measure: string, count: number][] = [
    ['lead', names.forms],
    ['duplicate', names.forms],
    ['lead_source', names.sources],
    ['page', names.pages],
    ['click_human', names.messages],
    ['click_suspected', names.messages],
    ['click_machine', names.messages],
  ]
  return [...plain.map((measure) => [measure, 1] as const), ...split].map(
    ([measure, count]) => `WITH ${numbers('day', '$days')}, ${numbers('name', count)}
      INSERT INTO day_figure (account_row, day, measure, name, count)
        SELECT account.row, $today - day.n, '${measure}', ${count === 1 ? `''` : `'name ' || name.n`}, 1 + abs(random()) % 1000
        FROM account, day, name`,
  )
}

/** What is kept at most: refusals of 90 days by every hour, and a quarantine that is full. */
const refusals = [
  `WITH ${numbers('hour', '$days * 24')}, ${numbers('reason', 4)}
    INSERT INTO refusal_count (account_row, hour, endpoint, "check", origin, count)
      SELECT account.row, $today * 24 - hour.n, 'form', 'check ' || reason.n, '', 1 FROM account, hour, reason`,
  `WITH ${numbers('refused', '$quarantined')}
    INSERT INTO submission_fact (sequence, account_row, id, form_id, received_at, status)
      SELECT -1 - refused.n, account.row, 'refused ' || refused.n, 'contact1', ($today - refused.n % 30) * 86400000, 'refused'
      FROM account, refused`,
]
