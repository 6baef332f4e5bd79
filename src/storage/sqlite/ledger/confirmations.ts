import type { ConfirmationState, Confirmations, ConfirmedSubmission } from '../../../ledger/confirmations.ts'
import { LedgerUnavailable } from '../../../ledger/ledger.ts'
import type { Connection } from '../database/connection.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { decisionKinds, decisionLine, entryKinds } from './ledger-codec.ts'

interface Committing {
  append(lines: string[]): Promise<void>
}

/** Confirmations in SQLite: written by group commit, which stores none twice and none for a submission that is gone. */
export class SqliteConfirmations implements Confirmations {
  constructor(
    private readonly reader: Connection,
    private readonly groupCommit: Committing,
    /** Whether the leader of a cluster commits, so that this database has an entry some time after it is stored. */
    private readonly isBehind = false,
  ) {}

  state({ accountId, submissionId }: ConfirmedSubmission): ConfirmationState {
    const accountRow = storedAccountRow(this.reader, accountId)
    if (accountRow === null) return 'gone'
    const found = this.reader.raw.query<FoundEntries, [number, string]>(stateQuery).get(accountRow, submissionId)
    if (found === null || found.isThere === 0) return 'gone'
    return found.isConfirmed === 1 ? 'confirmed' : 'open'
  }

  async confirm(submission: ConfirmedSubmission, at: number): Promise<ConfirmationState> {
    const { accountId, submissionId: id } = submission
    await this.groupCommit.append([decisionLine({ kind: 'confirmation', id, accountId, receivedAt: at })])
    const state = this.state(submission)
    if (state === 'open' && this.isBehind) return 'confirmed'
    if (state === 'open') throw new LedgerUnavailable('whether the confirmation was stored is not known')
    return state
  }
}

interface FoundEntries {
  isThere: number
  isConfirmed: number
}

/** The kinds are spelled out: the indexes by id are partial and not used with a parameter. */
const isEntryOf = (kind: number): string =>
  `EXISTS (SELECT 1 FROM ledger WHERE account_row = ?1 AND kind = ${kind} AND id = ?2)`

const stateQuery = `SELECT ${isEntryOf(entryKinds.submission)} AS isThere, ${isEntryOf(decisionKinds.confirmation)} AS isConfirmed`
