import { and, asc, eq, gt, isNull, lt, ne } from 'drizzle-orm'
import type { AccountRole, Maker } from '../../../console/access/caller.ts'
import type { EndedWithMaker } from '../../../console/token/api-token.ts'
import type {
  Accepting,
  Credentials,
  Invitation,
  InvitationState,
  Invited,
  Left,
  PlaceInAccount,
  RoleKept,
  User,
  UserStore,
} from '../../../console/user/user.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { accountRowOf } from '../lookup/account-row.ts'
import { consoleUser, invitation, passkey, shownPersonal } from '../schema/console-schema.ts'
import { sealOf } from '../seal/box-seal.ts'
import { endOfUser, mayStillGive } from './token-store.ts'
import { acceptRole, changeRole, endsLastAdmin, leaveAccount, rolesOf, withdrawInvitations } from './user-roles.ts'

const userColumns = {
  id: consoleUser.id,
  email: consoleUser.email,
  isOwner: consoleUser.isOwner,
  createdAt: consoleUser.createdAt,
  lastSignInAt: consoleUser.lastSignInAt,
}

export class SqliteUserStore implements UserStore {
  constructor(private readonly connection: Pick<Connection, 'db' | 'raw'>) {}

  async list(): Promise<User[]> {
    const rows = this.connection.db.select(userColumns).from(consoleUser).orderBy(asc(consoleUser.email)).all()
    return rows.map((row) => this.withRoles(row))
  }

  async find(userId: string): Promise<User | null> {
    return this.where(eq(consoleUser.id, userId))
  }

  async findByEmail(email: string): Promise<User | null> {
    return this.where(eq(consoleUser.email, email))
  }

  async findByPasskey(passkeyId: string): Promise<User | null> {
    const found = this.connection.db
      .select({ userId: passkey.userId })
      .from(passkey)
      .where(eq(passkey.id, passkeyId))
      .get()
    return found === undefined ? null : this.find(found.userId)
  }

  async credentials(userId: string): Promise<Credentials | null> {
    const { db } = this.connection
    const row = db.select().from(consoleUser).where(eq(consoleUser.id, userId)).get()
    if (row === undefined) return null
    const { passwordHash, totpSecret, totpLastStep, codeMisses, recoveryHashes } = row
    const passkeys = db.select().from(passkey).where(eq(passkey.userId, userId)).orderBy(asc(passkey.createdAt)).all()
    return {
      passwordHash,
      totpSecret: totpSecret && sealOf(this.connection.raw).openBytes('console_user.totp_secret', userId, totpSecret),
      totpLastStep,
      codeMisses,
      recoveryHashes,
      passkeys: passkeys.map(({ userId: _, ...key }) => key),
    }
  }

  async keepCredentials(userId: string, credentials: Partial<Credentials>): Promise<void> {
    this.atomically(() => this.writeCredentials(userId, credentials))
  }

  /** Within a transaction. */
  private writeCredentials(userId: string, { passkeys, ...credentials }: Partial<Credentials>): void {
    const { db, raw } = this.connection
    const { totpSecret, recoveryHashes, ...rest } = credentials
    const change = {
      ...rest,
      ...(totpSecret === undefined
        ? {}
        : { totpSecret: totpSecret && sealOf(raw).sealBytes('console_user.totp_secret', userId, totpSecret) }),
      ...(recoveryHashes === undefined ? {} : { recoveryHashes: [...recoveryHashes] }),
    }
    if (Object.keys(change).length > 0) db.update(consoleUser).set(change).where(eq(consoleUser.id, userId)).run()
    if (passkeys === undefined) return
    db.delete(passkey).where(eq(passkey.userId, userId)).run()
    for (const { publicKey, ...key } of passkeys) {
      db.insert(passkey)
        .values({ ...key, userId, publicKey: Buffer.from(publicKey) })
        .run()
    }
  }

  async spendTotpStep(userId: string, step: number): Promise<boolean> {
    const isNew = and(eq(consoleUser.id, userId), lt(consoleUser.totpLastStep, step))
    const { db } = this.connection
    return db.update(consoleUser).set({ totpLastStep: step }).where(isNew).returning(userColumns).all().length > 0
  }

  async spendRecoveryCode(userId: string, hash: string): Promise<boolean> {
    return this.atomically((db) => {
      const row = db.select().from(consoleUser).where(eq(consoleUser.id, userId)).get()
      if (row === undefined || !row.recoveryHashes.includes(hash)) return false
      const recoveryHashes = row.recoveryHashes.filter((kept) => kept !== hash)
      db.update(consoleUser).set({ recoveryHashes }).where(eq(consoleUser.id, userId)).run()
      return true
    })
  }

  async noteCodeMiss(userId: string): Promise<void> {
    this.atomically((db) => {
      const isTheirs = eq(consoleUser.id, userId)
      const user = db.select().from(consoleUser).where(isTheirs).get()
      const codeMisses = (user?.codeMisses ?? 0) + 1
      db.update(consoleUser).set({ codeMisses }).where(isTheirs).run()
    })
  }

  async noteSignIn(userId: string, at: number): Promise<void> {
    this.connection.db
      .update(consoleUser)
      .set({ lastSignInAt: at, codeMisses: 0 })
      .where(eq(consoleUser.id, userId))
      .run()
  }

  async setRole(userId: string, role: AccountRole, place: PlaceInAccount): Promise<AccountRole | RoleKept> {
    const { accountId } = place
    return this.atomically(() => changeRole(this.connection, { userId, accountId, role }, place))
  }

  async leave(userId: string, place: PlaceInAccount): Promise<Left | RoleKept> {
    return this.atomically(() => leaveAccount(this.connection, userId, place))
  }

  async showsPersonal(accountId: string): Promise<boolean> {
    const accountRow = accountRowOf(this.connection, accountId)
    if (accountRow === null) return false
    const isShown = eq(shownPersonal.accountRow, accountRow)
    return this.connection.db.select().from(shownPersonal).where(isShown).get() !== undefined
  }

  async showPersonal(accountId: string, isShown: boolean): Promise<void> {
    this.atomically((db) => {
      const accountRow = accountRowOf(this.connection, accountId)
      if (accountRow === null) return
      if (isShown) db.insert(shownPersonal).values({ accountRow }).onConflictDoNothing().run()
      else db.delete(shownPersonal).where(eq(shownPersonal.accountRow, accountRow)).run()
    })
  }

  async remove(userId: string, at: number): Promise<EndedWithMaker | 'last_owner' | 'unknown'> {
    return this.atomically((db) => {
      const user = db.select(userColumns).from(consoleUser).where(eq(consoleUser.id, userId)).get()
      if (user === undefined) return 'unknown'
      const isOtherOwner = and(eq(consoleUser.isOwner, true), ne(consoleUser.id, userId))
      if (user.isOwner && db.select(userColumns).from(consoleUser).where(isOtherOwner).get() === undefined)
        return 'last_owner'
      const ended = endOfUser(this.connection, userId, at)
      db.delete(invitation).where(eq(invitation.email, user.email)).run()
      // Their roles, passkeys and sessions go too.
      db.delete(consoleUser).where(eq(consoleUser.id, userId)).run()
      return ended
    })
  }

  async invite(hash: string, invited: Invitation, made: Maker & { at: number }): Promise<boolean> {
    return this.atomically((db) => {
      const { at, ...maker } = made
      const accountId = invited.invited.isOwner ? null : invited.invited.accountId
      if (!mayStillGive(this.connection, maker, { accountId, at })) return false
      const open = db.select().from(invitation).where(eq(invitation.email, invited.email)).all()
      for (const before of open) {
        const isSame = before.usedAt === null && Bun.deepEquals(before.invited, invited.invited)
        if (isSame) db.delete(invitation).where(eq(invitation.hash, before.hash)).run()
      }
      db.insert(invitation)
        .values({ hash, ...invited, ...maker })
        .run()
      return true
    })
  }

  async openInvitations(now: number): Promise<Invitation[]> {
    const { email, invited, expiresAt, usedAt } = invitation
    const isOpen = and(isNull(usedAt), gt(expiresAt, now))
    const { db } = this.connection
    const rows = db.select({ email, invited, expiresAt }).from(invitation).where(isOpen).orderBy(asc(email)).all()
    return rows.filter((row) => isOpenTo(this.connection, row.invited))
  }

  async withdraw(email: string, accountId?: string): Promise<number> {
    return this.atomically(() => withdrawInvitations(this.connection, eq(invitation.email, email), accountId))
  }

  async invitation(hash: string, now: number): Promise<InvitationState> {
    const row = this.connection.db.select().from(invitation).where(eq(invitation.hash, hash)).get()
    if (row === undefined) return { state: 'unknown' }
    const { email, invited, expiresAt, makerUserId } = row
    if (row.usedAt !== null) return { state: 'used', makerUserId }
    if (now >= expiresAt) return { state: 'expired', makerUserId }
    if (!isOpenTo(this.connection, invited)) return { state: 'unknown' }
    return { state: 'open', invitation: { email, invited, expiresAt, makerUserId } }
  }

  async eraseInvitationsBefore(before: number): Promise<number> {
    const isOld = lt(invitation.expiresAt, before)
    return this.connection.db.delete(invitation).where(isOld).returning({ hash: invitation.hash }).all().length
  }

  async accept(hash: string, { now, userId, credentials }: Accepting): Promise<User | 'last_admin' | null> {
    const outcome = this.atomically((db) => {
      const row = db.select().from(invitation).where(eq(invitation.hash, hash)).get()
      if (row === undefined || row.usedAt !== null || now >= row.expiresAt || !isOpenTo(this.connection, row.invited))
        return null
      const { email, invited } = row
      const known = db.select(userColumns).from(consoleUser).where(eq(consoleUser.email, email)).get()
      // The user alone, signed in, accepts for a user; whoever brings credentials makes one.
      if (credentials === undefined ? known?.id !== userId : known !== undefined) return null
      if (!invited.isOwner && endsLastAdmin(this.connection, { userId, ...invited })) return 'last_admin'
      db.update(invitation).set({ usedAt: now }).where(eq(invitation.hash, hash)).run()
      if (credentials !== undefined) {
        db.insert(consoleUser).values({ id: userId, email, isOwner: false, createdAt: now, recoveryHashes: [] }).run()
        this.writeCredentials(userId, credentials)
      }
      if (invited.isOwner) db.update(consoleUser).set({ isOwner: true }).where(eq(consoleUser.id, userId)).run()
      else acceptRole(this.connection, { userId, ...invited })
      return 'accepted'
    })
    return outcome === 'accepted' ? this.find(userId) : outcome
  }

  private where(isWanted: ReturnType<typeof eq>): User | null {
    const row = this.connection.db.select(userColumns).from(consoleUser).where(isWanted).get()
    return row === undefined ? null : this.withRoles(row)
  }

  private withRoles(row: Omit<User, 'roles'>): User {
    return { ...row, roles: rolesOf(this.connection, row.id) }
  }

  private atomically<T>(write: (db: Connection['db']) => T): T {
    return writeTransaction(this.connection, () => write(this.connection.db))
  }
}

/** Invitations go with their account; one that was being made meanwhile is worth nothing. */
const isOpenTo = (connection: Pick<Connection, 'raw'>, invited: Invited): boolean =>
  invited.isOwner || accountRowOf(connection, invited.accountId) !== null
