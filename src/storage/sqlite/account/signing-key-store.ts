import { and, asc, eq, getTableColumns, isNull, lte } from 'drizzle-orm'
import {
  mintSigningKey,
  retiredKeyVerifiesUntil,
  type SigningKey,
  type SigningKeyStore,
  SigningKeys,
  type SigningPurpose,
  signingPurposes,
} from '../../../account/signing-key.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { account, movedSigningKey, signingKey } from '../schema/account-schema.ts'
import { sealOf } from '../seal/box-seal.ts'
import { raiseRevision } from './revision.ts'

/** An id that is taken is drawn again; with 36^8 ids that hardly ever happens. */
const drawsMax = 10

export class SqliteSigningKeyStore implements SigningKeyStore {
  private constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /** Creates missing keys: all of them on a new box. */
  static async open(connection: Connection, clock: Clock): Promise<SqliteSigningKeyStore> {
    const store = new SqliteSigningKeyStore(connection, clock)
    store.mintMissing()
    return store
  }

  async read(): Promise<SigningKeys> {
    const { db, raw } = this.connection
    const seal = sealOf(raw)
    const { accountRow, ...key } = getTableColumns(movedSigningKey)
    const moved = db
      .select({ ...key, accountId: account.id })
      .from(movedSigningKey)
      .innerJoin(account, eq(account.row, accountRow))
      .orderBy(asc(movedSigningKey.createdAt))
      .all()
      .map(({ secret, ...rest }) => ({
        ...rest,
        secret: seal.openBytes('moved_signing_key.secret', `${rest.accountId} ${rest.id}`, secret),
      }))
    const own = db.select().from(signingKey).all()
    return new SigningKeys(
      own.map(({ secret, ...rest }) => ({ ...rest, secret: seal.openBytes('signing_key.secret', rest.id, secret) })),
      moved,
    )
  }

  async rotate(purpose: SigningPurpose): Promise<SigningKey> {
    const { db } = this.connection
    return writeTransaction({ db }, () => {
      const now = this.clock.now()
      db.update(signingKey)
        .set({ verifiesUntil: retiredKeyVerifiesUntil(purpose, now) })
        .where(and(eq(signingKey.purpose, purpose), isNull(signingKey.verifiesUntil)))
        .run()
      this.retireMoved(purpose, now)
      const made = this.mint(purpose, now)
      this.forgetEnded(now)
      raiseRevision(this.connection)
      return made
    })
  }

  /** Whoever replaces a key wants no earlier key to verify for good, wherever it came from. */
  private retireMoved(purpose: SigningPurpose, now: number): void {
    this.connection.db
      .update(movedSigningKey)
      .set({ verifiesUntil: retiredKeyVerifiesUntil(purpose, now) })
      .where(and(eq(movedSigningKey.purpose, purpose), isNull(movedSigningKey.verifiesUntil)))
      .run()
  }

  /** Each service makes a key of this purpose, and earlier ones are useless. */
  private forgetEnded(now: number): void {
    this.connection.db
      .delete(signingKey)
      .where(and(eq(signingKey.purpose, 'name'), lte(signingKey.verifiesUntil, now)))
      .run()
  }

  private mintMissing(): void {
    if (this.missing().length === 0) return
    writeTransaction(this.connection, () => {
      // Checked again under the write lock: two concurrent first starts make one key of each purpose.
      for (const purpose of this.missing()) this.mint(purpose, this.clock.now())
    })
  }

  private missing(): SigningPurpose[] {
    const current = this.connection.db
      .select({ purpose: signingKey.purpose })
      .from(signingKey)
      .where(isNull(signingKey.verifiesUntil))
      .all()
    return signingPurposes.filter((purpose) => !current.some((row) => row.purpose === purpose))
  }

  private mint(purpose: SigningPurpose, now: number): SigningKey {
    for (let draw = 0; draw < drawsMax; draw++) {
      const key = mintSigningKey(purpose, now)
      const stored = this.connection.db
        .insert(signingKey)
        .values({ ...key, secret: sealOf(this.connection.raw).sealBytes('signing_key.secret', key.id, key.secret) })
        .onConflictDoNothing({ target: signingKey.id })
        .returning({ id: signingKey.id })
        .get()
      if (stored) return key
    }
    throw new Error(`no free id for a ${purpose} key in ${drawsMax} draws`)
  }
}
