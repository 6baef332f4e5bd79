import type { ClickVerdict, Entry } from '../../../ledger/entry.ts'
import type { LedgerRow } from '../../../ledger/ledger.ts'
import type { Touch } from '../../../processing/attribution/touch.ts'
import { goesOnBits, versionMark, versionOfTarget } from '../../../processing/figures/measures.ts'
import { visitPauseMs } from '../../../processing/figures/note-hit.ts'
import type { EntryFacts, FactReader, SubmissionFacts } from '../../../report/entry-facts.ts'
import type { Connection } from '../database/connection.ts'
import { reading, storedJson } from '../database/damage.ts'
import { visitBeginnings } from '../lookup/ledger-tree.ts'
import { andThen, forEachKey, isListKey, keyPart, position, wholeKey } from '../lookup/many-keys.ts'
import { deviceOwner } from '../persons/own-records.ts'
import { type VersionsColumn, versionsOf } from '../processing/device-rows.ts'
import { emailMark } from '../processing/person-rows.ts'
import { isCountedInVisit } from '../schema/fact-schema.ts'
import { beginsVisit } from '../schema/processing-schema.ts'

/** What processing knows about ledger rows: five statements for a page, however many devices and ties there are. */
export class SqliteFactReader implements FactReader {
  constructor(private readonly reader: Connection) {}

  async about(accountId: string, rows: LedgerRow[]): Promise<EntryFacts[]> {
    return reading(this.reader, () => {
      const sequences = JSON.stringify(rows.map(({ cursor }) => Number(cursor)))
      const submissions = this.submissions(sequences)
      const clicks = this.clicks(sequences)
      const counted = rows.map(({ cursor, entry }) => counts(entry, submissions.get(cursor)))
      const named = this.personsNamed(accountId, rows, counted)
      const owners = this.deviceOwners(accountId, rows, counted)
      const versions = this.versionsFollowed(accountId, rows, counted)
      return rows.map(({ cursor, entry }, index) => ({
        personId: (counted[index] ? (named.get(index) ?? owners.get(index)) : null) ?? null,
        submission: entry.kind === 'submission' ? (submissions.get(cursor) ?? null) : null,
        event: versions.get(index) ?? null,
        click: entry.kind === 'click' ? (clicks.get(cursor) ?? null) : null,
      }))
    })
  }

  private submissions(sequences: string): Map<string, SubmissionFacts> {
    const found = this.reader.raw.query<SubmissionRow, [string]>(submissionsQuery).all(sequences)
    return new Map(found.map((row) => [String(row.sequence), submissionFacts(row)]))
  }

  private clicks(sequences: string): Map<string, NonNullable<EntryFacts['click']>> {
    const found = this.reader.raw.query<ClickRow, [string]>(clicksQuery).all(sequences)
    return new Map(
      found.map(({ sequence, verdict, reasons }) => [String(sequence), { verdict, reasons: storedJson(reasons) }]),
    )
  }

  /** A submission with an identity is that person's, whatever device it came from. */
  private personsNamed(accountId: string, rows: LedgerRow[], counted: boolean[]): Map<number, string> {
    const asked = rows.map(({ entry }, index) =>
      counted[index] && entry.kind === 'submission' && entry.email !== null
        ? [entry.email, emailMark(entry.email)]
        : null,
    )
    return this.personIds(namedQuery, accountId, asked)
  }

  private deviceOwners(accountId: string, rows: LedgerRow[], counted: boolean[]): Map<number, string> {
    const asked = rows.map(({ entry: { deviceId, receivedAt, id } }, index) =>
      counted[index] && deviceId !== null ? [deviceId, receivedAt, id] : null,
    )
    return this.personIds(ownersQuery, accountId, asked)
  }

  /** Of events that were sent from another page than the split one. An expired view tells nothing: the event is due, too. */
  private versionsFollowed(accountId: string, rows: LedgerRow[], counted: boolean[]) {
    const asked = rows.map(({ entry: { kind, deviceId, receivedAt, source } }, index) =>
      counted[index] && kind === 'event' && !source.split ? [deviceId, receivedAt] : null,
    )
    const found = this.reader.raw
      .query<TargetRow, [string, string]>(followedQuery)
      .all(JSON.stringify(asked), accountId)
    return new Map(found.map(({ position, target }) => [position, { version: versionOfTarget(target) }]))
  }

  private personIds(query: string, accountId: string, asked: unknown[]): Map<number, string> {
    const found = this.reader.raw.query<PersonIdRow, [string, string]>(query).all(JSON.stringify(asked), accountId)
    return new Map(found.map(({ position, personId }) => [position, personId]))
  }
}

/** Whether the record belongs to anybody: refused ones and those of the test page do not. */
function counts(entry: Entry, found: SubmissionFacts | undefined): boolean {
  if (entry.test) return false
  if (entry.kind !== 'submission') return true
  return found?.isReleased === true || (entry.status === 'accepted' && found?.isRefused !== true)
}

interface SubmissionRow extends VersionsColumn {
  sequence: number
  releasedAt: number | null
  refusedAt: number | null
  confirmedAt: number | null
  first: string | null
  last: string | null
  duplicateOf: string | null
  pageSlug: string | null
  pageSha256: string | null
}

function submissionFacts(row: SubmissionRow): SubmissionFacts {
  const { releasedAt, refusedAt, confirmedAt, first, last, duplicateOf, pageSlug, pageSha256, versions } = row
  return {
    isReleased: releasedAt !== null,
    isRefused: refusedAt !== null,
    confirmedAt,
    first: first === null ? null : storedJson<Touch>(first),
    last: last === null ? null : storedJson<Touch>(last),
    duplicateOf,
    page: pageSlug === null || pageSha256 === null ? null : { slug: pageSlug, sha256: pageSha256 },
    version: versionsOf({ versions }).at(-1) ?? null,
  }
}

const submissionsQuery = `
  SELECT sequence, released_at AS releasedAt, refused_at AS refusedAt, confirmed_at AS confirmedAt, first_touch AS first,
    last_touch AS last,
    duplicate_of AS duplicateOf, page_slug AS pageSlug, page_sha256 AS pageSha256, versions
  ${forEachKey('submission_fact')} ON sequence = ${wholeKey}`

interface ClickRow {
  sequence: number
  verdict: ClickVerdict
  reasons: string
}

const clicksQuery = `
  SELECT sequence, verdict, reasons ${forEachKey('click_fact')} ON sequence = ${wholeKey}`

interface PersonIdRow {
  position: number
  personId: string
}

const namedQuery = `
  SELECT ${position}, person.id AS personId
  ${forEachKey('person')} ON person.account_row = (SELECT row FROM account WHERE id = ?2)
    AND person.email_mark = ${keyPart(1)} AND person.email = ${keyPart(0)}`

const ownersQuery = `
  SELECT ${position}, person.id AS personId
  ${forEachKey('device')} ON device.account_row = (SELECT row FROM account WHERE id = ?2) AND device.id = ${keyPart(0)}
  ${andThen('person')} ON person.row = ${deviceOwner({ deviceRow: 'device.row', at: keyPart(1), id: keyPart(2) })}
  WHERE ${isListKey}`

interface TargetRow {
  position: number
  target: string
}

const [deviceId, at] = [keyPart(0), keyPart(1)]

const earlier = `device_row = device.row AND received_at <= ${at}`

/** The versions that the visit of each event was shown until then, as a submission follows them; the latest last. */
export const followedQuery = `
  SELECT ${position}, target.value AS target
  ${forEachKey('device')} ON device.account_row = (SELECT row FROM account WHERE id = ?2) AND device.id = ${deviceId}
  ${andThen('goal_entry')} ON goal_entry.device_row = device.row AND ${isCountedInVisit}
    AND goal_entry.visit_at = (
      SELECT max(received_at) FROM ${visitBeginnings} WHERE ${earlier} AND ${beginsVisit})
  ${andThen('json_each(goal_entry.counted) target')} ON target.value LIKE '${versionMark}%'
  ${andThen('ledger')} ON ledger.sequence = goal_entry.sequence AND ledger.received_at <= ${at}
  WHERE ${isListKey}
    AND EXISTS (
      SELECT 1 FROM device_entry
      WHERE ${earlier} AND received_at > ${at} - ${visitPauseMs} AND device_entry.counted & ${goesOnBits})
  ORDER BY ledger.received_at, ledger.sequence`
