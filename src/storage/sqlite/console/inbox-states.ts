import { eq } from 'drizzle-orm'
import type { Actor } from '../../../console/audit/audit-log.ts'
import {
  type GivenState,
  type InboxStates,
  newState,
  type StateOfSubmission,
  stateRevision,
} from '../../../console/inbox/inbox-state.ts'
import { assertKnown, type KnownRevisions } from '../../../lib/revision.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { andThen, forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { submissionState } from '../schema/inbox-schema.ts'
import { submissionPlace } from './stored-submission.ts'

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
    return new Map(rows.map(({ id, state, at, by }) => [id, { state, at, by: JSON.parse(by) as Actor }]))
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
