import type { Database } from 'bun:sqlite'
import { type ErasureEntry, erasedIdsMax } from '../../../ledger/decision.ts'
import { UnreadableEntry } from '../../../ledger/ledger.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/id.ts'
import type { ReturnedRecords } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { capturedKinds, decisionKinds, decodeDecision, type EntryRow } from '../ledger/ledger-codec.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { knownAccountRow } from '../lookup/account-row.ts'

interface ErasedPerson {
  accountId: string
  /** `null`: nobody is known by the address. */
  personId: string | null
  of: ErasureEntry['of']
}

/**
 * Records in the ledger what one erasure removes, by ids alone. The transaction that removes records also writes an
 * entry with their ids, so that the ledger is right even after an interruption; an erasure that finds nothing writes no
 * entry.
 */
export class LoggedErasure {
  private readonly accountRow: number
  /** `null`: nothing was found yet. */
  private erasureId: string | null
  private taken: string[] = []

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly erased: ErasedPerson,
  ) {
    const { accountId, personId } = erased
    this.accountRow = knownAccountRow(connection, accountId)
    this.erasureId = personId === null ? null : (this.interrupted(personId) ?? newId())
  }

  /** Call in `within`, for each removed record. */
  note(recordId: string): void {
    this.taken.push(recordId)
  }

  /** Runs a transaction that removes records; entries of the same transaction name those noted. */
  within<T>(removal: () => T): T {
    this.taken = []
    return writeTransaction(this.connection, () => {
      const removed = removal()
      for (let from = 0; from < this.taken.length; from += erasedIdsMax) {
        this.append({ records: this.taken.slice(from, from + erasedIdsMax), isEnd: false })
      }
      return removed
    })
  }

  end(): void {
    if (this.erasureId === null) return
    writeTransaction(this.connection, () => this.append({ records: [], isEnd: true }))
  }

  private append(part: { records: string[]; isEnd: boolean }): void {
    this.erasureId ??= newId()
    appendDecision(this.connection, this.accountRow, {
      kind: 'erasure',
      id: newId(),
      receivedAt: this.clock.now(),
      erasureId: this.erasureId,
      ...this.erased,
      ...part,
    })
  }

  /** An interrupted erasure and the run that finishes it count as one. */
  private interrupted(personId: string): string | null {
    const { accountId } = this.erased
    const open = new Set<string>()
    for (const entry of erasuresOf(this.connection.raw, { row: this.accountRow, id: accountId })) {
      if (entry.personId !== personId) continue
      if (entry.isEnd) open.delete(entry.erasureId)
      else open.add(entry.erasureId)
    }
    return [...open].at(-1) ?? null
  }
}

/** An open database, or one attached to it. */
type Schema = 'main' | 'restored' | 'arriving'

interface AccountRow {
  row: number
  id: string
}

/** The erasure entries of an account, in order of commit. Unreadable ones are left out. */
export function erasuresOf(raw: Database, { row, id: accountId }: AccountRow, schema: Schema = 'main'): ErasureEntry[] {
  const rows = raw
    .query<EntryRow, [number]>(
      `SELECT kind, id, received_at AS receivedAt, record, checksum FROM ${schema}.ledger
       WHERE account_row = ? AND kind = ${decisionKinds.erasure} ORDER BY sequence`,
    )
    .all(row)
  return rows.flatMap((row) => readableErasure(row, accountId) ?? [])
}

function readableErasure(row: EntryRow, accountId: string): ErasureEntry | null {
  const decision = readable(row, accountId)
  return decision?.kind === 'erasure' ? decision : null
}

/** A row of another node's ledger. */
export type ErasureRow = EntryRow & { accountRow: number }

/** `null`: it is no erasure, or of an account that is not here yet. */
export function erasureIn(raw: Database, row: ErasureRow): ErasureEntry | null {
  if (row.kind !== decisionKinds.erasure) return null
  const account = raw.query<{ id: string }, [number]>('SELECT id FROM account WHERE row = ?').get(row.accountRow)
  return account && readableErasure(row, account.id)
}

function readable(row: EntryRow, accountId: string) {
  try {
    return decodeDecision(row, accountId)
  } catch (error) {
    if (error instanceof UnreadableEntry) return null
    throw error
  }
}

/** The same for all accounts, including removed ones: an older backup brings those back. */
export function allErasures(raw: Database, schema: Schema = 'main'): ErasureEntry[] {
  const accounts = raw.query<AccountRow, []>(`SELECT row, id FROM ${schema}.account ORDER BY row`).all()
  return accounts.flatMap((account) => erasuresOf(raw, account, schema))
}

/** Works on a read-only connection. Goes through the records of accounts in which somebody was erased. */
export function returnedRecords({ raw }: Pick<Connection, 'raw'>): ReturnedRecords[] {
  const accounts = raw
    .query<AccountRow & { handle: string }, []>('SELECT row, id, handle FROM account ORDER BY handle')
    .all()
  const returned = raw.query<{ count: number }, [number, string]>(
    `SELECT count(*) AS count FROM ledger
     WHERE account_row = ? AND kind IN (${capturedKinds}) AND id IN (SELECT value FROM json_each(?))`,
  )
  return accounts.flatMap((account) => {
    const ids = erasuresOf(raw, account).flatMap(({ records }) => records)
    const count = ids.length === 0 ? 0 : (returned.get(account.row, JSON.stringify(ids))?.count ?? 0)
    return count === 0 ? [] : [{ handle: account.handle, count }]
  })
}
