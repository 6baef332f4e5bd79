import { and, eq, lt } from 'drizzle-orm'
import type { IdempotencyStore, KeptAnswer } from '../../../console/api/idempotency.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { idempotentAnswer } from '../schema/console-schema.ts'

/** The call of another process that has not ended by then never will: the process died. */
const underWayMsMax = 60_000
/** How often a call shows other processes that its own lives: a service that was replaced finishes what its console is at. */
const signMs = 20_000

interface RunningCall {
  caller: string
  key: string
  /** Epoch milliseconds; moves on with each sign of life. */
  begunAt: number
}

export class SqliteIdempotencyStore implements IdempotencyStore {
  /** The calls of this process, however long they take. */
  private readonly running = new Map<string, RunningCall>()
  private signs: Timer | null = null

  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async begin(
    caller: string,
    key: string,
    { hash, now }: { hash: string; now: number },
  ): Promise<'begun' | 'under_way' | KeptAnswer> {
    const { db } = this.connection
    if (this.running.has(nameOf(caller, key))) return 'under_way'
    const begun = writeTransaction({ db }, () => {
      const found = db.select().from(idempotentAnswer).where(named(caller, key)).get()
      const isDead = found !== undefined && found.status === null && now - found.begunAt >= underWayMsMax
      if (found !== undefined && !isDead) {
        const { status, body, requestHash } = found
        return status === null ? 'under_way' : { requestHash, status, body }
      }
      db.insert(idempotentAnswer)
        .values({ caller, key, requestHash: hash, begunAt: now })
        .onConflictDoUpdate({
          target: [idempotentAnswer.caller, idempotentAnswer.key],
          set: { requestHash: hash, begunAt: now, status: null, body: null },
        })
        .run()
      return 'begun'
    })
    if (begun === 'begun') {
      this.running.set(nameOf(caller, key), { caller, key, begunAt: now })
      this.signs ??= setInterval(() => this.showLife(), signMs)
    }
    return begun
  }

  async end(caller: string, key: string, answer: KeptAnswer): Promise<void> {
    this.ended(caller, key)
    this.connection.db.update(idempotentAnswer).set(answer).where(named(caller, key)).run()
  }

  async forget(caller: string, key: string): Promise<void> {
    this.ended(caller, key)
    this.connection.db.delete(idempotentAnswer).where(named(caller, key)).run()
  }

  async eraseBefore(at: number): Promise<number> {
    const isOld = lt(idempotentAnswer.begunAt, at)
    return this.connection.db.delete(idempotentAnswer).where(isOld).returning({ key: idempotentAnswer.key }).all()
      .length
  }

  private ended(caller: string, key: string): void {
    this.running.delete(nameOf(caller, key))
    if (this.running.size > 0 || this.signs === null) return
    clearInterval(this.signs)
    this.signs = null
  }

  private showLife(): void {
    for (const call of this.running.values()) {
      call.begunAt += signMs
      const { caller, key, begunAt } = call
      try {
        this.connection.db.update(idempotentAnswer).set({ begunAt }).where(named(caller, key)).run()
      } catch {
        // Whoever keeps the lock for so long lets nobody else begin either.
      }
    }
  }
}

const nameOf = (caller: string, key: string): string => `${caller} ${key}`

const named = (caller: string, key: string) => and(eq(idempotentAnswer.caller, caller), eq(idempotentAnswer.key, key))
