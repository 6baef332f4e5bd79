import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { oldKeyVerifiesMs, SigningKeys, type SigningPurpose, signingPurposes } from '../../account/signing-key.ts'
import type { SigningKeyStore } from '../../account/signing-key-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { newShortId } from '../../lib/id.ts'
import type { Connection } from './connection.ts'
import { raiseRevision } from './revision.ts'
import { signingKey } from './schema.ts'

const secretBytes = 32

export class SqliteSigningKeyStore implements SigningKeyStore {
  private constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /** Makes the keys that are missing: all of them on a new box. */
  static async open(connection: Connection, clock: Clock): Promise<SqliteSigningKeyStore> {
    const store = new SqliteSigningKeyStore(connection, clock)
    store.mintMissing()
    return store
  }

  async read(): Promise<SigningKeys> {
    return new SigningKeys(this.connection.db.select().from(signingKey).all())
  }

  async rotate(purpose: SigningPurpose): Promise<void> {
    const { db } = this.connection
    const now = this.clock.now()
    db.transaction(
      () => {
        db.update(signingKey)
          .set({ verifiesUntil: now + oldKeyVerifiesMs[purpose] })
          .where(and(eq(signingKey.purpose, purpose), isNull(signingKey.verifiesUntil)))
          .run()
        this.mint(purpose)
        raiseRevision(this.connection)
      },
      { behavior: 'immediate' },
    )
  }

  private mintMissing(): void {
    if (this.missing().length === 0) return
    const mintAll = () => {
      for (const purpose of this.missing()) this.mint(purpose)
    }
    this.connection.db.transaction(mintAll, { behavior: 'immediate' })
  }

  private missing(): SigningPurpose[] {
    const held = this.connection.db
      .select({ purpose: signingKey.purpose })
      .from(signingKey)
      .where(isNull(signingKey.verifiesUntil))
      .all()
    return signingPurposes.filter((purpose) => !held.some((row) => row.purpose === purpose))
  }

  private mint(purpose: SigningPurpose): void {
    this.connection.db
      .insert(signingKey)
      .values({ id: newShortId(), purpose, secret: randomBytes(secretBytes), createdAt: this.clock.now() })
      .run()
  }
}
