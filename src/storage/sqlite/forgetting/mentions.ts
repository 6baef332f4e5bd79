import type { Entry } from '../../../ledger/entry.ts'
import { identityEmail } from '../../../ledger/identity-email.ts'
import type { MissingRecords } from '../../../ledger/ledger.ts'
import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../database/connection.ts'
import { decodeStored, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import { deviceOwner } from '../persons/device-owner.ts'
import { nobody } from '../processing/schema.ts'
import { TreeFault, unlessDamaged } from '../salvage/damage.ts'
import { salvagedRows } from '../salvage/ledger-salvage.ts'
import { AddressSpellings } from './address-spellings.ts'
import { type RecordSubject, subjectOfBroken } from './broken-record.ts'
import type { FoundRecord } from './own-records.ts'

/** Rows examined before others get their turn: about 5 ms, or 30 if little of the address is ASCII. */
const pageRows = 2000

interface Search {
  accountId: string
  accountRow: number
  email: string
}

/** Records of the account that mention the address and belong to no device of the person's. */
export interface Mentions {
  /** The person's own nevertheless: refused ones, those of the test page, and those of nobody else. */
  theirs: FoundRecord[]
  /** Ids of other people's records. */
  others: string[]
  /** How many records are unreadable, so that they might be the person's. */
  unreadable: number
}

/** Examines every record of the account: quarantined ones and those of the test page are in no index of persons. */
export async function mentionsOf(connection: Connection, search: Search): Promise<Mentions> {
  const found: Mentions = { theirs: [], others: [], unreadable: 0 }
  const address = new AddressSpellings(search.email)
  for (const kind of Object.values(entryKinds)) {
    for (let after = 0; ; ) {
      const page = { ...search, kind, after, address }
      const { rows, until } = unlessDamaged(
        () => namingPage(connection, page),
        () => readablePage(connection, page, found),
      )
      for (const row of rows) {
        const entry = entryOf(row, search.accountId)
        if (!(entry === null ? address.isNamedInBrokenJson(row.record) : names(entry, address))) continue
        const subject = entry === null ? subjectOfBroken(connection, row) : subjectOf(entry)
        if (belongs(connection, subject, search)) found.theirs.push({ sequence: row.sequence, kind })
        else found.others.push(row.id)
      }
      if (until === Number.MAX_SAFE_INTEGER) break
      after = until
      await Bun.sleep(0)
    }
  }
  return found
}

interface Page {
  accountRow: number
  kind: number
  after: number
}

type NamingRow = EntryRow & { sequence: number }

interface NamingPage extends Page {
  address: AddressSpellings
}

function namingPage(connection: Connection, page: NamingPage): { rows: NamingRow[]; until: number } {
  const until = pageEnd(connection, page)
  if (until <= page.after) throw new TreeFault('the numbers of the ledger are not in order')
  const { accountRow, kind, after, address } = page
  const rows = connection.raw
    .query<NamingRow, [number, number, number, number, string]>(namingQuery)
    .all(accountRow, kind, after, until, JSON.stringify(address.likePatterns))
  return { rows, until }
}

/** Everything readable on a page with an unreadable row, whatever it mentions. */
function readablePage(connection: Connection, { accountRow, kind, after }: Page, found: Mentions) {
  const onMissing = ({ count }: MissingRecords) => {
    found.unreadable += count ?? 1
  }
  const rows = salvagedRows(connection, { accountRow, kinds: [kind], after, limit: pageRows, onMissing })
  const last = rows.length < pageRows ? undefined : rows.at(-1)
  return { rows, until: last?.sequence ?? Number.MAX_SAFE_INTEGER }
}

function pageEnd({ raw }: Connection, { accountRow, kind, after }: Page): number {
  const last = raw
    .query<{ sequence: number }, [number, number, number]>(
      `SELECT sequence FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ?
       ORDER BY sequence LIMIT 1 OFFSET ${pageRows - 1}`,
    )
    .get(accountRow, kind, after)
  return last?.sequence ?? Number.MAX_SAFE_INTEGER
}

/** SQLite only folds the case of ASCII, and does not normalise: the patterns find candidates. */
const namingQuery = `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
  WHERE account_row = ? AND kind = ? AND sequence > ? AND sequence <= ?
    AND EXISTS (SELECT 1 FROM json_each(?) WHERE record LIKE value)`

/** Whether a record that mentions the address is the person's: it says so itself, or it is nobody else's. */
function belongs(connection: Connection, { identity, deviceId, receipt }: RecordSubject, search: Search): boolean {
  if (identity !== null) return identity === search.email
  return deviceId === null || ownerAt(connection, search.accountRow, { ...receipt, deviceId }) === nobody
}

/** Whether any text in it contains the address; capture limits the nesting. */
function names(value: unknown, address: AddressSpellings): boolean {
  if (typeof value === 'string') return address.isNamedIn(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => names(key, address) || names(inner, address))
}

function entryOf(row: NamingRow, accountId: string): Entry | null {
  try {
    return decodeStored(row, accountId)
  } catch {
    return null
  }
}

const subjectOf = (entry: Entry): RecordSubject => ({
  identity: identityOf(entry),
  deviceId: entry.deviceId,
  receipt: { at: entry.receivedAt, id: entry.id },
})

/** The address that an entry names as its sender's; `null`: none. */
export function identityOf(entry: Entry): string | null {
  if (entry.kind === 'submission') return entry.email
  return entry.kind === 'event' && entry.event === '$identify' ? identityEmail(entry.traits?.email) : null
}

function ownerAt(
  { raw }: Connection,
  accountRow: number,
  { deviceId, at, id }: Receipt & { deviceId: string },
): number {
  const owner = raw
    .query<{ row: number | null }, [number, string, number, string]>(
      `SELECT ${deviceOwner({ deviceRow: 'device.row', at: '?3', id: '?4' })} AS row FROM device WHERE account_row = ?1 AND id = ?2`,
    )
    .get(accountRow, deviceId, at, id)
  return owner?.row ?? nobody
}
