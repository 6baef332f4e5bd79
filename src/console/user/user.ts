import { type Static, Type } from '@sinclair/typebox'
import { newReadableText } from '../../lib/id.ts'
import { instant, instantOrNull } from '../../lib/instant.ts'
import { flag, oneOf, text, textOrNull } from '../../lib/schema.ts'
import { type AccountRole, accountRoles, type Maker, type UserRole } from '../access/caller.ts'
import type { EndedWithMaker } from '../token/api-token.ts'

/** Somebody who may sign in to the console. */
export interface User {
  /** UUIDv7. */
  id: string
  /** Lower-case. */
  email: string
  /** The owner of the box: may do everything. */
  isOwner: boolean
  /** By account id. */
  roles: ReadonlyMap<string, UserRole>
  createdAt: number
  lastSignInAt: number | null
}

/** A user's credentials as stored. They never leave the console. */
export interface Credentials {
  /** Argon2id in PHC text form; `null`: signs in by passkey alone. */
  passwordHash: string | null
  /** RFC 6238 secret; `null`: no app is set up. */
  totpSecret: Uint8Array | null
  /** The time step of the last accepted code: no code works twice (RFC 6238 section 5.2). */
  totpLastStep: number
  /** Wrong codes that came with the right password since the last sign-in. */
  codeMisses: number
  /** Of the remaining recovery codes (sign-in/recovery-codes.ts). */
  recoveryHashes: readonly string[]
  passkeys: readonly Passkey[]
}

export interface Passkey {
  /** Base64url. */
  id: string
  publicKey: Uint8Array
  /** The counter of its last signature; authenticators without a counter send 0. */
  counter: number
  name: string
  createdAt: number
  lastUsedAt: number | null
}

/** The access that an invitation gives. */
export type Invited = { isOwner: true } | { isOwner: false; accountId: string; role: AccountRole }

/** An unused invitation. */
export interface Invitation {
  email: string
  invited: Invited
  expiresAt: number
}

/** One that can be accepted, with the user who made it; `null`: a token or a command did. */
export interface OpenInvitation extends Invitation {
  makerUserId: string | null
}

export const invitationMs = 86_400_000

/** 43 of 32 characters are 215 bits. */
const secretCharacters = 43
export const invitationSecretPattern = `[a-z0-9]{${secretCharacters}}`
export const newInvitationSecret = (): string => newReadableText(secretCharacters)

/** The hash by which an invitation is found: SHA-256 in hex of the secret in its link. */
export const invitationHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

/** The state of an invitation. */
export type InvitationState =
  | { state: 'open'; invitation: OpenInvitation }
  | ({ state: 'used' | 'expired' } & Pick<OpenInvitation, 'makerUserId'>)
  | { state: 'unknown' }

/**
 * Users of the console and their invitations.
 *
 * Guarantees: an invitation makes one user together with their credentials, or gives one user one part more, once, and none in an
 * account that was removed; a user who is removed has no session, no passkey, no invitation, and no token that they made left; the last
 * owner cannot be removed; whoever is no admin of an account has no open invitation to it that they made; a role that was changed is
 * changed again by no invitation from before; access is given by those alone who may give it when it is written.
 */
export interface UserStore {
  /** Ordered by address. */
  list(): Promise<User[]>
  find(userId: string): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  /** The user who has the passkey. */
  findByPasskey(passkeyId: string): Promise<User | null>
  credentials(userId: string): Promise<Credentials | null>
  keepCredentials(userId: string, credentials: Partial<Credentials>): Promise<void>
  /**
   * Accepts a time step of a one-time code once.
   *
   * @returns `false`: this step or a later one was used before
   */
  spendTotpStep(userId: string, step: number): Promise<boolean>
  /** @returns `false`: there is no such code, or it was used before */
  spendRecoveryCode(userId: string, hash: string): Promise<boolean>
  /** Counts a wrong code that came with the right password. */
  noteCodeMiss(userId: string): Promise<void>
  /** Forgets the wrong codes as well. */
  noteSignIn(userId: string, at: number): Promise<void>
  /**
   * Gives a user of the account another role.
   *
   * @returns the role before
   */
  setRole(userId: string, role: AccountRole, place: PlaceInAccount): Promise<AccountRole | RoleKept>
  /** Takes the user's role in the account away. Removes whoever has no other access, and ends what they made. */
  leave(userId: string, place: PlaceInAccount): Promise<Left | RoleKept>
  /** Whether clients of the account see personal fields of submissions. */
  showsPersonal(accountId: string): Promise<boolean>
  showPersonal(accountId: string, isShown: boolean): Promise<void>
  /** Ends what the user has made. @returns `last_owner`: nothing was removed */
  remove(userId: string, at: number): Promise<EndedWithMaker | 'last_owner' | 'unknown'>

  /**
   * Replaces an open invitation of the same address to the same.
   *
   * @param hash of the link's secret, SHA-256 in hex
   * @returns `false`: its maker may not give this access any more; nobody was invited
   */
  invite(hash: string, invitation: Invitation, made: Maker & { at: number }): Promise<boolean>
  /** Those that can be accepted, ordered by address. */
  openInvitations(now: number): Promise<Invitation[]>
  /** Ends the unused invitations of an address. @param accountId to this account; absent: to anything @returns how many there were */
  withdraw(email: string, accountId?: string): Promise<number>
  invitation(hash: string, now: number): Promise<InvitationState>
  /** Erases invitations that ended before then, used or not. @returns how many there were */
  eraseInvitationsBefore(before: number): Promise<number>
  /**
   * Makes the user, or adds the access from the invitation. The link stops working.
   *
   * @returns `null`: the link works no more, or is for another user; `last_admin`: the account would have none left. Nothing was changed
   */
  accept(hash: string, accepting: Accepting): Promise<User | 'last_admin' | null>
}

export interface Accepting {
  now: number
  /** Of the user who has signed in, or of the one to make. */
  userId: string
  /** Of the user to make; absent: a user accepts who has signed in. */
  credentials?: Partial<Credentials>
}

/** Why a role stays as it was. `maker_gone`: whoever asked may not do it any more. */
export type RoleKept = 'maker_gone' | 'last_admin' | 'unknown'

export interface PlaceInAccount {
  accountId: string
  at: number
  /** Who changes something there. */
  by: Maker
  /** Whether the account must have an admin left. */
  keepsAdmin: boolean
}

export interface Left {
  role: AccountRole
  /** What ended with them; `null`: they stay a user, with access to something else. */
  ended: EndedWithMaker | null
}

/** A user as `user list --json` and the API show it. */
export const userSchema = Type.Object({
  id: text,
  email: text,
  owner: flag,
  roles: Type.Array(Type.Object({ account: text, role: oneOf(accountRoles) })),
  createdAt: text,
  lastSignInAt: textOrNull,
})

export type UserJson = Static<typeof userSchema>

/** @param handleOf an account's handle; `null`: it is gone */
export const userJson = (user: User, handleOf: (accountId: string) => string | null): UserJson => ({
  id: user.id,
  email: user.email,
  owner: user.isOwner,
  roles: [...user.roles].flatMap(([accountId, { role }]) => {
    const account = handleOf(accountId)
    return account === null ? [] : [{ account, role }]
  }),
  createdAt: instant(user.createdAt),
  lastSignInAt: instantOrNull(user.lastSignInAt),
})

/** The access that an invitation gives, in words: `owner` or `editor of Acme`. @param calledOf how the account is called; `null`: it is gone */
export const invitedText = (invited: Invited, calledOf: (accountId: string) => string | null): string =>
  invited.isOwner ? 'owner' : `${invited.role} of ${calledOf(invited.accountId) ?? 'a removed account'}`

/** Somebody with a role in one account. */
export const colleagueSchema = Type.Object({
  id: text,
  email: text,
  role: oneOf(accountRoles),
  lastSignInAt: textOrNull,
})

export type Colleague = Static<typeof colleagueSchema>

/** Those with a role in the account. Owners of the box need none, and are nobody's to manage. */
export const colleaguesIn = (users: readonly User[], accountId: string): Colleague[] =>
  users.flatMap(({ id, email, isOwner, roles, lastSignInAt }) => {
    const role = isOwner ? undefined : roles.get(accountId)?.role
    return role === undefined ? [] : [{ id, email, role, lastSignInAt: instantOrNull(lastSignInAt) }]
  })

/** The addresses of the first few admins of the account. Owners of the box are nobody's to see. */
export const helpersIn = (users: readonly User[], accountId: string): string[] =>
  colleaguesIn(users, accountId)
    .filter(({ role }) => role === 'admin')
    .slice(0, helpersMax)
    .map(({ email }) => email)

const helpersMax = 3
