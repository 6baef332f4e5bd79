import type { Database } from 'bun:sqlite'
import { emptyBatch } from '../../../src/capture/write-batch.ts'
import { type Decision, isDecision, type LedgerEntry } from '../../../src/ledger/decision.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { BatchTransaction } from '../../../src/storage/sqlite/commit/batch-transaction.ts'
import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { encodeEntries, joinEntries } from '../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { appendDecision } from '../../../src/storage/sqlite/ledger/receipt-hours.ts'
import { click, pageView, submission, trackedEvent } from '../../report/sample-entries.ts'

const entriesPerCommit = 5000
const kinds = 7
/** Neither a multiple of the kinds nor a factor of what a step takes: who comes back does so with something else. */
const devices = 701
const people = 97
const start = Date.UTC(2026, 10, 1)
const secondsApart = 20

/** Some of everything that is captured, by visitors who come back; the same for the same number. */
export function mixedEntry(accountId: string, number: number): Entry {
  const of = {
    accountId,
    id: `entry-${number}`,
    deviceId: `device-${number % devices}`,
    // Some are committed before what was received earlier.
    receivedAt: start + (number - (number % 5 === 0 ? 3 : 0)) * secondsApart * 1000,
  }
  const email = `person-${number % people}@acme.example`
  switch (number % kinds) {
    case 0:
      return submission({ ...of, email, fields: { email, message: `number ${number}` } })
    case 1:
      return submission({ ...of, email: null, status: 'refused', refusedFor: 'honeypot', fields: { n: number } })
    case 2:
      return click({ ...of, message: `mailing-${number % 3}`, recipient: `recipient-${number % people}` })
    case 3:
      return trackedEvent({ ...of, event: '$identify', traits: { email, plan: `plan-${number}` } })
    case 4:
      return trackedEvent({ ...of, attribution: { utm_source: `source-${number % 5}`, utm_medium: 'email' } })
    default:
      return pageView({ ...of, attribution: number % 2 === 0 ? { utm_source: 'google', utm_medium: 'cpc' } : {} })
  }
}

/** Commits entries in this order: what was captured as the service does, decisions as commands do. */
export function storeEntries(databaseFile: string, entries: readonly LedgerEntry[]): void {
  const transaction = new BatchTransaction(databaseFile)
  let captured: Entry[] = []
  const commit = () => {
    const batch = { ...emptyBatch, entries: joinEntries(encodeEntries(captured)) }
    const [committed] = transaction.commit([batch], start)
    if (committed?.homeless.length !== 0) throw new Error('the account of the entries is not in the database')
    captured = []
  }
  for (const entry of entries) {
    if (isDecision(entry)) {
      commit()
      decide(transaction.connection, entry)
    } else if (captured.push(entry) === entriesPerCommit) commit()
  }
  commit()
  transaction.close()
}

function decide(connection: Connection, decision: Decision): void {
  const account = connection.raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?')
  const { row } = account.get(decision.accountId) ?? { row: -1 }
  connection.db.transaction(() => appendDecision(connection, row, decision))
}

/** Tables that hold what was configured or captured, how retention has come with it, and sums of others; all others were made by processing. */
const sources =
  /^(?:sqlite_|__drizzle|account$|asset|box$|clock_seen$|domain$|form$|goal_since$|ledger$|month_figure$|receipt_hour$|refusal_count$|retention_state$|signing_key$|spent_challenge$|tracking_key$)/

type Row = Record<string, unknown>

/** A fingerprint is led by ten digits of its sender's row. */
const withoutRow = (fingerprint: unknown): unknown =>
  typeof fingerprint === 'string' ? fingerprint.slice(10) : fingerprint

/** Everything that processing has made, by table, without the numbers and ids that it drew for it, in one order. */
export function derivedContent(database: Database): Record<string, string[]> {
  const names = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const rowsOf = (table: string) => database.query<Row, []>(`SELECT * FROM "${table}"`).all()
  const deviceIds = new Map(rowsOf('device').map(({ row, id }) => [row, id]))
  const emails = new Map(rowsOf('person').map(({ row, email }) => [row, email]))
  const named = ({ row: _drawn, at: _clock, ...rest }: Row): Row => ({
    ...rest,
    ...('device_row' in rest ? { device_row: deviceIds.get(rest.device_row) } : {}),
    ...('person_row' in rest ? { person_row: emails.get(rest.person_row) } : {}),
    ...('fingerprint' in rest ? { fingerprint: withoutRow(rest.fingerprint) } : {}),
    ...('email' in rest ? { id: null } : {}),
  })
  return Object.fromEntries(
    names
      .filter(({ name }) => !sources.test(name))
      .map(({ name }) => [
        name,
        rowsOf(name)
          .map((row) => JSON.stringify(named(row)))
          .sort(),
      ]),
  )
}
