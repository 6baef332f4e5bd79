import { digitsOf, isSamePhone, phoneNumbersIn } from '../../../capture/phone-fields.ts'
import type { Submission } from '../../../ledger/entry.ts'
import type { ErasureQuery } from '../../../processing/erasure.ts'
import type { Connection } from '../database/connection.ts'
import { decodeEntry, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'
import { deviceOwner, type FoundRecord } from '../persons/own-records.ts'
import { nobody } from '../schema/processing-schema.ts'

/** What an erasure reaches from submissions. */
export interface SentRecords {
  /** What is found by the named submissions. Without those, nobody could find it again. */
  records: FoundRecord[]
  /** The named submissions themselves. */
  named: FoundRecord[]
  /** Ids of the submissions among them. */
  submissionIds: string[]
  deviceRows: number[]
  /** Phone numbers as they were sent. */
  phones: string[]
}

interface Reached {
  sequence: number
  submission: Submission
}

/** Call while whose each device is still shows. @throws UnreadableEntry if a submission that may be reached is not as captured */
export async function sentRecords(
  connection: Connection,
  { accountId, email, sent }: ErasureQuery,
  accountRow: number,
): Promise<SentRecords> {
  if (sent === undefined) return { records: [], named: [], submissionIds: [], deviceRows: [], phones: [] }
  const named = submissionsById(connection, { accountId, accountRow, ids: sent.ids })
  const deviceRows = devicesOf(connection, accountRow, named)
  const phones = named.flatMap(({ submission }) => phoneNumbersIn(submission.fields))
  const alike =
    sent.reach === 'record' || phones.length === 0
      ? []
      : await submissionsWithPhone(connection, { accountId, accountRow, phones })
  const submissions = new Map([...named, ...alike].map((reached) => [reached.sequence, reached.submission]))
  const records = new Map([...submissions.keys()].map((sequence) => [sequence, entryKinds.submission]))
  if (sent.reach === 'sender')
    for (const deviceRow of deviceRows)
      for (const { sequence, kind } of unownedRecords(connection, deviceRow, email)) records.set(sequence, kind)
  const isNamed = new Set(named.map(({ sequence }) => sequence))
  const found = [...records].map(([sequence, kind]) => ({ sequence, kind }))
  return {
    records: found.filter(({ sequence }) => !isNamed.has(sequence)),
    named: found.filter(({ sequence }) => isNamed.has(sequence)),
    submissionIds: [...submissions.values()].map(({ id }) => id),
    deviceRows,
    phones: [...new Set([...submissions.values()].flatMap(({ fields }) => phoneNumbersIn(fields)))],
  }
}

type StoredSubmission = EntryRow & { sequence: number }

function submissionsById(
  { raw }: Connection,
  { accountId, accountRow, ids }: { accountId: string; accountRow: number; ids: readonly string[] },
): Reached[] {
  return raw
    .query<StoredSubmission, [number, string]>(
      // The kind is spelled out: the index by id is partial and not used with a parameter.
      `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
       WHERE account_row = ? AND kind = ${entryKinds.submission} AND id IN (SELECT value FROM json_each(?))`,
    )
    .all(accountRow, JSON.stringify(ids))
    .flatMap((row) => reached(row, accountId))
}

function reached(row: StoredSubmission, accountId: string): Reached[] {
  const submission = decodeEntry(row, accountId)
  return submission.kind === 'submission' ? [{ sequence: row.sequence, submission }] : []
}

function devicesOf({ raw }: Connection, accountRow: number, named: readonly Reached[]): number[] {
  const ids = named.flatMap(({ submission }) => submission.deviceId ?? [])
  return raw
    .query<{ row: number }, [number, string]>(
      'SELECT row FROM device WHERE account_row = ? AND id IN (SELECT value FROM json_each(?))',
    )
    .all(accountRow, JSON.stringify(ids))
    .map(({ row }) => row)
}

/** What a device recorded while it was nobody's, without submissions that name somebody else. */
const unownedRecords = ({ raw }: Connection, deviceRow: number, email: string | null): FoundRecord[] =>
  raw
    .query<FoundRecord, [number, string | null]>(
      `SELECT entry.sequence, entry.kind
       FROM device_entry entry JOIN ledger ON ledger.sequence = entry.sequence
       WHERE entry.device_row = ?1
         AND coalesce(${deviceOwner({ deviceRow: 'entry.device_row', at: 'entry.received_at', id: 'ledger.id' })}, ${nobody}) = ${nobody}
         AND (entry.kind <> ${entryKinds.submission} OR ${recordField('email')} IS NULL OR ${recordField('email')} IS ?2)`,
    )
    .all(deviceRow, email)

/** Submissions examined before others get their turn: about 5 ms. */
const pageRows = 2000

/** Looks through every submission of the account: no index has its fields. */
async function submissionsWithPhone(
  { raw }: Connection,
  { accountId, accountRow, phones }: { accountId: string; accountRow: number; phones: readonly string[] },
): Promise<Reached[]> {
  const last = raw.query<{ sequence: number | null }, [number, number]>(
    `SELECT max(sequence) AS sequence FROM (SELECT sequence FROM ledger
       WHERE account_row = ? AND kind = ${entryKinds.submission} AND sequence > ? ORDER BY sequence LIMIT ${pageRows})`,
  )
  const candidates = raw.query<StoredSubmission, [number, number, number, string]>(
    `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
     WHERE account_row = ? AND kind = ${entryKinds.submission} AND sequence > ? AND sequence <= ?
       AND EXISTS (SELECT 1 FROM json_each(?) WHERE record LIKE value)`,
  )
  const patterns = JSON.stringify(phones.map(likePattern))
  const isAlike = ({ submission }: Reached) =>
    phoneNumbersIn(submission.fields).some((number) => phones.some((phone) => isSamePhone(phone, number)))
  const found: Reached[] = []
  for (let after = 0; ; await Bun.sleep(0)) {
    const until = last.get(accountRow, after)?.sequence ?? null
    if (until === null) return found
    const rows = candidates.all(accountRow, after, until, patterns)
    found.push(...rows.flatMap((row) => reached(row, accountId)).filter(isAlike))
    after = until
  }
}

/** The last digits are written alike, whatever stands between them. */
const sharedDigits = 7
const likePattern = (phone: string): string => `%${[...digitsOf(phone).slice(-sharedDigits)].join('%')}%`
