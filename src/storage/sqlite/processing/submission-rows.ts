import type { Database } from 'bun:sqlite'
import { type DeviceKind, deviceKind } from '../../../processing/figures/channel.ts'
import { type CountedEntry, type LeadNames, leadMeasures } from '../../../processing/figures/measures.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import type { OriginatedSubmission } from '../../../processing/submissions/origin.ts'
import type {
  AlikeQuery,
  AlikeSubmission,
  AmendableFact,
  AmendableSubmission,
  KeptSubmission,
  LaterQuery,
  SubmissionFact,
  SubmissionName,
  SubmissionOrigin,
  Submissions,
} from '../../../processing/submissions/submissions.ts'
import { storedJson } from '../database/damage.ts'
import { decodeEntry, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import { BulkInsert, type StoredKeys, type Values } from './bulk-insert.ts'
import {
  type PageColumns,
  pageColumns,
  pageOf,
  type VersionsColumn,
  versionsColumn,
  versionsOf,
} from './device-rows.ts'
import type { RowOfAccount } from './processed-accounts.ts'

// Where a submission came from, and what its lead is counted under, in columns of `submission_fact`.

/** What a lead is counted under, in the columns of a row. */
export const leadColumns = leadMeasures.join(', ')
export type LeadColumns = LeadNames

/** What a stored lead was counted under; `null`: it is none. */
export const leadOf = (row: LeadColumns): LeadNames | null =>
  row.lead_source === null
    ? null
    : (Object.fromEntries(leadMeasures.map((measure) => [measure, row[measure]])) as LeadNames)

const laterColumns = `sequence AS key, received_at AS receivedAt, id, page_at AS pageAt, page_slug AS pageSlug,
    page_sha256 AS pageSha256, versions, lead_day AS leadDay, ${leadColumns}`

/** What of a stored submission a late record, or an erasure, can change. */
interface LaterRow extends LeadColumns, PageColumns, VersionsColumn {
  key: EntryKey
  receivedAt: number
  id: string
  leadDay: number | null
}

const amendable = ({ key, receivedAt: at, id, leadDay, ...row }: LaterRow): AmendableSubmission => ({
  key,
  receipt: { at, id },
  fact: {
    page: pageOf(row),
    versions: versionsOf(row),
    counted: leadDay === null ? null : { day: leadDay, lead: leadOf(row) },
  },
})

export interface OriginColumns extends PageColumns, VersionsColumn {
  /** Touches as JSON. */
  first: string | null
  last: string | null
}

export const storedOrigin = ({ first, last, versions, ...page }: OriginColumns): SubmissionOrigin => ({
  first: first === null ? null : storedJson(first),
  last: last === null ? null : storedJson(last),
  page: pageOf(page),
  versions: versionsOf({ versions }),
})

/** The values of an origin's columns, and of what its lead is counted under. */
const originColumns = ({ first, last, page, versions, counted }: AmendableFact): Values => [
  first && JSON.stringify(first),
  last && JSON.stringify(last),
  ...pageColumns(page),
  versionsColumn(versions),
  counted?.day ?? null,
  ...leadMeasures.map((measure) => counted?.lead?.[measure] ?? null),
]

type Keys = Pick<StoredKeys, 'rowOf'>

type Kept = Pick<Submissions, 'added' | 'released' | 'confirmed' | 'later' | 'withFiles'>

export class SubmissionRows {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
    private readonly keys: { devices: Keys; persons: Keys },
  ) {
    this.statements = prepareStatements(raw)
  }

  alike({ accountId, sender, fingerprint, from }: Omit<AlikeQuery, 'to'>): AlikeSubmission | null {
    const stored = storedFingerprint(sender ?? 0, fingerprint)
    return this.statements.alike.get(this.rowOfAccount(accountId), stored, from)
  }

  later({ device, after, limit }: LaterQuery): AmendableSubmission[] {
    return this.statements.later.all(device, after.at, after.id, limit).map(amendable)
  }

  /** With all of its origin; `null`: it is gone. */
  one(key: number): OriginatedSubmission | null {
    const row = this.statements.one.get(key)
    if (row === null) return null
    const { first, last, ...later } = row
    const { fact, ...submission } = amendable(later)
    return { ...submission, fact: { ...fact, ...storedOrigin(row) } }
  }

  kept({ accountId, id }: SubmissionName): KeptSubmission | null {
    const row = this.statements.kept.get(this.rowOfAccount(accountId), id)
    if (row === null) return null
    const { isKnown, isRefused, versions, confirmedAt, duplicateOf, ...stored } = row
    const submission = decodeEntry(stored, accountId)
    if (submission.kind !== 'submission') return null
    const states = { isProcessed: isKnown === 1, isRefused: isRefused === 1, confirmedAt, duplicateOf }
    return { key: stored.sequence, submission, ...states, versions: versionsOf({ versions }) }
  }

  counting(key: EntryKey): Pick<CountedEntry, 'goals' | 'submission'> {
    const row = this.statements.counting.get(key)
    if (row === null) return { goals: null, submission: null }
    const { formId, device, at, leadDay, goalDay, targets, goalsCounted } = row
    const counted = leadDay === null ? null : { day: leadDay, lead: leadOf(row) }
    const goals =
      goalDay === null
        ? null
        : { day: goalDay, targets: storedJson<string[]>(targets), counted: storedJson<string[]>(goalsCounted) }
    return { goals, submission: { formId, versions: versionsOf(row), device, at, counted } }
  }

  keep({ added, released, confirmed, later, withFiles }: Kept): void {
    const { statements } = this
    statements.addFiles.run(
      withFiles.flatMap(({ key, submission: { accountId, files = [] } }) => {
        // The same file twice in a form is one content.
        const bytesOf = new Map(files.map(({ sha256, bytes }) => [sha256, bytes]))
        return [...bytesOf].map(([sha256, bytes]) => [key, this.rowOfAccount(accountId), sha256, bytes])
      }),
    )
    statements.add.run(
      added.map(({ key, submission, fact, releasedAt }) => [
        key,
        this.rowOfAccount(submission.accountId),
        submission.id,
        submission.formId,
        deviceKind(submission.source.userAgent),
        submission.receivedAt,
        submission.status,
        releasedAt,
        ...this.senderColumns(fact),
        ...originColumns(fact),
      ]),
    )
    for (const { key, submission, fact, releasedAt } of released) {
      statements.release.run(
        submission.status,
        releasedAt,
        null,
        ...this.senderColumns(fact),
        ...originColumns(fact),
        key,
      )
    }
    for (const [key, at] of confirmed) statements.confirm.run(at, key)
    for (const [key, fact] of later.amended) statements.amend.run(...originColumns(fact), key)
  }

  private senderColumns({ person, device, fingerprint, duplicateOf }: SubmissionFact): Values {
    const { persons, devices } = this.keys
    const personRow = person && persons.rowOf(person)
    const deviceRow = device && devices.rowOf(device)
    const stored = fingerprint && storedFingerprint(personRow ?? deviceRow ?? 0, fingerprint)
    return [personRow, deviceRow, stored, duplicateOf]
  }
}

export const senderDigits = 10

/**
 * Begins with the sender's row number, so that fingerprints of new senders are adjacent. Random places would cost a
 * written index page each, more than the rest of the row.
 */
const storedFingerprint = (senderRow: number, fingerprint: string): string =>
  senderRow.toString(16).padStart(senderDigits, '0') + fingerprint

interface KeptRow extends EntryRow, VersionsColumn {
  sequence: EntryKey
  isKnown: number
  isRefused: number
  confirmedAt: number | null
  duplicateOf: string | null
}

interface CountingRow extends LeadColumns, VersionsColumn {
  formId: string
  device: DeviceKind
  /** When it began to count. */
  at: number
  leadDay: number | null
  goalDay: number | null
  targets: string
  goalsCounted: string
}

function prepareStatements(raw: Database) {
  const sender = ['person_row', 'device_row', 'fingerprint', 'duplicate_of']
  const page = ['page_at', 'page_slug', 'page_sha256']
  const origin = ['first_touch', 'last_touch', ...page, 'versions', 'lead_day', ...leadMeasures]
  const record = ['sequence', 'account_row', 'id', 'form_id', 'device_kind', 'received_at', 'status', 'released_at']
  const update = (columns: string[]) =>
    raw.query(`UPDATE submission_fact SET ${columns.map((column) => `${column} = ?`).join()} WHERE sequence = ?`)
  return {
    alike: raw.query<AlikeSubmission, [number, string, number]>(
      `SELECT sequence AS key, id, received_at AS receivedAt, duplicate_of AS duplicateOf FROM submission_fact
       WHERE account_row = ? AND fingerprint = ? AND received_at >= ? ORDER BY received_at, sequence LIMIT 1`,
    ),
    // A row comparison searches the key and reads nothing earlier.
    later: raw.query<LaterRow, [number, number, string, number]>(
      `SELECT ${laterColumns} FROM submission_fact WHERE device_row = ? AND (received_at, id) > (?, ?)
       ORDER BY received_at, id LIMIT ?`,
    ),
    one: raw.query<LaterRow & OriginColumns, [number]>(
      `SELECT ${laterColumns}, first_touch AS first, last_touch AS last FROM submission_fact WHERE sequence = ?`,
    ),
    kept: raw.query<KeptRow, [number, string]>(
      `SELECT ledger.sequence, kind, ledger.id, ledger.received_at AS receivedAt, record, checksum,
         fact.sequence IS NOT NULL AS isKnown, fact.status = 'refused' AND fact.released_at IS NULL AS isRefused,
         fact.versions, fact.confirmed_at AS confirmedAt, fact.duplicate_of AS duplicateOf
       FROM ledger LEFT JOIN submission_fact fact ON fact.sequence = ledger.sequence
       WHERE ledger.account_row = ? AND kind = ${entryKinds.submission} AND ledger.id = ?`,
    ),
    add: new BulkInsert(raw, `submission_fact (${[...record, ...sender, ...origin].join(', ')})`),
    addFiles: new BulkInsert(raw, 'submission_file (sequence, account_row, sha256, bytes)'),
    counting: raw.query<CountingRow, [number]>(
      `SELECT form_id AS formId, versions, device_kind AS device, coalesce(released_at, received_at) AS at,
         lead_day AS leadDay, ${leadColumns}, goals.day AS goalDay, goals.targets,
         goals.counted AS goalsCounted
       FROM submission_fact fact LEFT JOIN goal_entry goals ON goals.sequence = fact.sequence WHERE fact.sequence = ?`,
    ),
    release: update(['status', 'released_at', 'refused_at', ...sender, ...origin]),
    confirm: update(['confirmed_at']),
    amend: update(origin),
  }
}
