import { erasedIdsMax } from '../../../ledger/decision.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/id.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { knownAccountRow } from '../lookup/account-row.ts'
import { erasuresOf } from './erasure-entries.ts'

/** The person to erase. */
interface ErasedPerson {
  accountId: string
  /** `null`: nobody is known by the address. */
  personId: string | null
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

  /** Everything found is removed. */
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
