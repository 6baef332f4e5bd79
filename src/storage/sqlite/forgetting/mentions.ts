import { boxReplyMark } from '../../../account/reply-opt-out.ts'
import { isOwnMention, mentions, subjectOf } from '../../../processing/erasure.ts'
import type { Receipt } from '../../../processing/ledger-item.ts'
import { SqliteReplyConsent } from '../account/reply-consent.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { decodeEntry, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import { deviceOwner, type FoundRecord } from '../persons/own-records.ts'
import { nobody } from '../schema/processing-schema.ts'
import { AddressSpellings } from './address-spellings.ts'

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
}

/**
 * Examines every record of the account: quarantined ones and those of the test page are in no index of persons.
 *
 * @throws UnreadableEntry if one that may mention the address is not as captured
 */
export async function mentionsOf(connection: Connection, search: Search): Promise<Mentions> {
  const found: Mentions = { theirs: [], others: [] }
  const address = new AddressSpellings(search.email)
  for (const kind of Object.values(entryKinds)) {
    for (let after = 0; ; ) {
      const page = { ...search, kind, after, address }
      const { rows, until } = namingPage(connection, page)
      for (const row of rows) {
        const entry = decodeEntry(row, search.accountId)
        if (!mentions(entry, (text) => address.isNamedIn(text))) continue
        const isOwned = (deviceId: string, receipt: Receipt) =>
          ownerAt(connection, search.accountRow, { ...receipt, deviceId }) !== nobody
        if (isOwnMention(subjectOf(entry), search.email, isOwned)) found.theirs.push({ sequence: row.sequence, kind })
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
  const { accountRow, kind, after, address } = page
  const rows = connection.raw
    .query<NamingRow, [number, number, number, number, string]>(namingQuery)
    .all(accountRow, kind, after, until, JSON.stringify(address.likePatterns))
  return { rows, until }
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

/** Rows read at once: about 5 ms. */
const wordsPerPage = 500

/** Tables of what console users wrote, with the text columns that may contain an address. */
const writtenByUsers = [
  { name: 'submission_note', text: 'text' },
  // A query is form-encoded: a plus is a space.
  { name: 'saved_filter', text: "name || ' ' || replace(query, '+', ' ')" },
] as const

interface WordsRow {
  row: number
  text: string
}

/** Removes what console users wrote about an address outside its person's own submissions, whose notes go with them. */
export async function removeWords(
  { raw }: Pick<Connection, 'raw'>,
  accountRow: number,
  address: AddressSpellings,
): Promise<void> {
  for (const { name, text } of writtenByUsers) {
    const page = raw.query<WordsRow, [number, number, number]>(
      `SELECT row, ${text} AS text FROM ${name} WHERE account_row = ? AND row > ? ORDER BY row LIMIT ?`,
    )
    const remove = raw.query<null, [number]>(`DELETE FROM ${name} WHERE row = ?`)
    for (let after = 0; ; await breath()) {
      const rows = page.all(accountRow, after, wordsPerPage)
      for (const { row, text } of rows) if (address.isNamedIn(text)) remove.run(row)
      after = rows.at(-1)?.row ?? after
      if (rows.length < wordsPerPage) break
    }
  }
}

/**
 * Removes the marks by which the account's replies to the address count towards limits. An opt-out stays: it keeps the
 * address from being mailed again (docs/privacy.md).
 */
export function removeCountedReplies({ raw }: Pick<Connection, 'raw'>, accountRow: number, email: string): void {
  // Most accounts reply to nobody.
  if (raw.query('SELECT 1 FROM visitor_reply LIMIT 1').get() === null) return
  const mark = boxReplyMark(email, new SqliteReplyConsent(raw).key())
  raw.run('DELETE FROM visitor_reply WHERE address_mark = ? AND account_row = ?', [mark, accountRow])
}
