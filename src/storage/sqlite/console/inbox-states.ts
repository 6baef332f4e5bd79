import { and, asc, count, eq } from 'drizzle-orm'
import type { Actor } from '../../../console/audit/audit-log.ts'
import {
  type FilterOwner,
  type GivenState,
  type InboxStates,
  type Note,
  type Notes,
  newState,
  notesMax,
  type SavedFilter,
  type SavedFilters,
  type StateOfSubmission,
  savedFiltersMax,
  stateRevision,
} from '../../../console/inbox/inbox.ts'
import { assertKnown, type KnownRevisions } from '../../../lib/revision.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { accountRowOf } from '../lookup/account-row.ts'
import { andThen, forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { savedFilter, submissionNote, submissionState } from '../schema/inbox-schema.ts'

interface StateRow {
  id: string
  state: StateOfSubmission['state']
  at: number
  by: string
}

const statesQuery = `SELECT ledger.id, state, at, by
  ${forEachKey('ledger')} ON ledger.account_row = (SELECT row FROM account WHERE id = ?2)
    AND ledger.kind = ${entryKinds.submission} AND ledger.id = ${wholeKey}
  ${andThen('submission_state')} ON submission_state.sequence = ledger.sequence`

export class SqliteInboxStates implements InboxStates {
  constructor(private readonly connection: Pick<Connection, 'db' | 'raw'>) {}

  async of(accountId: string, submissionIds: readonly string[]): Promise<Map<string, StateOfSubmission>> {
    return this.states(accountId, submissionIds)
  }

  private states(accountId: string, submissionIds: readonly string[]): Map<string, StateOfSubmission> {
    if (submissionIds.length === 0) return new Map()
    const rows = this.connection.raw
      .query<StateRow, [string, string]>(statesQuery)
      .all(JSON.stringify(submissionIds), accountId)
    return new Map(rows.map(({ id, state, at, by }) => [id, { state, at, by: storedJson<Actor>(by) }]))
  }

  async set(
    accountId: string,
    submissionId: string,
    { state, at, by }: GivenState,
    known: KnownRevisions = null,
  ): Promise<boolean> {
    return writeTransaction(this.connection, () => {
      const place = submissionPlace(this.connection, accountId, submissionId)
      if (place === null) return false
      const current = this.states(accountId, [submissionId]).get(submissionId) ?? newState
      assertKnown(known, stateRevision(current), `The submission is ${current.state} by now. Look at it again.`)
      const { db } = this.connection
      if (state === 'new') db.delete(submissionState).where(eq(submissionState.sequence, place.sequence)).run()
      else {
        const set = { state, at, by }
        db.insert(submissionState)
          .values({ ...place, ...set })
          .onConflictDoUpdate({ target: submissionState.sequence, set })
          .run()
      }
      return true
    })
  }

  async see(accountId: string, submissionId: string, given: Omit<GivenState, 'state'>): Promise<void> {
    const place = submissionPlace(this.connection, accountId, submissionId)
    if (place === null) return
    this.connection.db
      .insert(submissionState)
      .values({ ...place, ...given, state: 'seen' })
      .onConflictDoNothing()
      .run()
  }
}

const { id, at, by, text } = submissionNote

export class SqliteNotes implements Notes {
  constructor(private readonly connection: Pick<Connection, 'db' | 'raw'>) {}

  async of(accountId: string, submissionId: string): Promise<Note[]> {
    const place = submissionPlace(this.connection, accountId, submissionId)
    if (place === null) return []
    return this.connection.db
      .select({ id, at, by, text })
      .from(submissionNote)
      .where(eq(submissionNote.sequence, place.sequence))
      .orderBy(asc(submissionNote.row))
      .limit(notesMax)
      .all()
  }

  async add(accountId: string, submissionId: string, note: Note): Promise<'added' | 'unknown' | 'full'> {
    return writeTransaction(this.connection, () => {
      const { db } = this.connection
      const place = submissionPlace(this.connection, accountId, submissionId)
      if (place === null) return 'unknown'
      const isSame = eq(submissionNote.sequence, place.sequence)
      const kept = db.select({ notes: count() }).from(submissionNote).where(isSame).get()
      if ((kept?.notes ?? 0) >= notesMax) return 'full'
      db.insert(submissionNote)
        .values({ ...place, ...note })
        .run()
      return 'added'
    })
  }

  async remove(accountId: string, submissionId: string, noteId: string): Promise<boolean> {
    const place = submissionPlace(this.connection, accountId, submissionId)
    if (place === null) return false
    const isMeant = and(eq(submissionNote.sequence, place.sequence), eq(submissionNote.id, noteId))
    return (
      this.connection.db.delete(submissionNote).where(isMeant).returning({ id: submissionNote.id }).all().length > 0
    )
  }
}

/** Where a submission of an account is stored. */
interface StoredAt {
  accountRow: number
  sequence: number
}

interface StoredSubmissionPlace extends StoredAt {
  receivedAt: number
}

/** `null`: the account has no such submission. The kind is spelled out because the index by id is partial. */
const submissionPlace = (
  { raw }: Pick<Connection, 'raw'>,
  accountId: string,
  submissionId: string,
): StoredSubmissionPlace | null =>
  raw
    .query<StoredSubmissionPlace, [string, string]>(
      `SELECT account_row AS accountRow, sequence, received_at AS receivedAt FROM ledger
       WHERE account_row = (SELECT row FROM account WHERE id = ? AND removed_at IS NULL)
         AND kind = ${entryKinds.submission} AND id = ?`,
    )
    .get(accountId, submissionId.toLowerCase())

export class SqliteSavedFilters implements SavedFilters {
  constructor(private readonly connection: Connection) {}

  async of({ userId, accountId }: FilterOwner): Promise<SavedFilter[]> {
    const accountRow = accountRowOf(this.connection, accountId)
    if (accountRow === null) return []
    return this.connection.db
      .select({ id: savedFilter.id, name: savedFilter.name, query: savedFilter.query })
      .from(savedFilter)
      .where(and(eq(savedFilter.userId, userId), eq(savedFilter.accountRow, accountRow)))
      .orderBy(asc(savedFilter.row))
      .limit(savedFiltersMax)
      .all()
  }

  async save(owner: FilterOwner, filter: SavedFilter): Promise<boolean> {
    const accountRow = accountRowOf(this.connection, owner.accountId)
    if (accountRow === null) return false
    const saved = await this.of(owner)
    const before = saved.find(({ name }) => name === filter.name)
    if (before !== undefined) await this.remove(owner, before.id)
    else if (saved.length >= savedFiltersMax) return false
    this.connection.db
      .insert(savedFilter)
      .values({ ...filter, userId: owner.userId, accountRow })
      .run()
    return true
  }

  async remove({ userId }: FilterOwner, filterId: string): Promise<void> {
    this.connection.db
      .delete(savedFilter)
      .where(and(eq(savedFilter.userId, userId), eq(savedFilter.id, filterId)))
      .run()
  }
}
