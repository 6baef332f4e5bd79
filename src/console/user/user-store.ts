import type { Maker, UserRole } from '../access/caller.ts'
import type { EndedWithMaker } from '../token/api-token.ts'
import type { Credentials, Invitation, User } from './user.ts'

/** The state of an invitation. */
export type InvitationState = { state: 'open'; invitation: Invitation } | { state: 'used' | 'expired' | 'unknown' }

/**
 * Users of the console and their invitations.
 *
 * Guarantees: an invitation makes one user, or gives one user one part more, once, and none in an account that was removed; a user
 * who is removed has no session, no passkey, no invitation, and no token that they made left; the last owner cannot be removed.
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
  setRole(userId: string, accountId: string, role: UserRole | null): Promise<void>
  /** Ends what the user has made. @returns `last_owner`: nothing was removed */
  remove(userId: string, at: number): Promise<EndedWithMaker | 'last_owner' | 'unknown'>

  /**
   * Replaces an open invitation of the same address to the same.
   *
   * @param hash of the link's secret, SHA-256 in hex
   * @returns `false`: its maker has no token or is no user any more; nobody was invited
   */
  invite(hash: string, invitation: Invitation, made: Maker & { at: number }): Promise<boolean>
  /** Those that can be accepted, ordered by address. */
  openInvitations(now: number): Promise<Invitation[]>
  /** Ends the unused invitations of an address. @returns how many there were */
  withdraw(email: string): Promise<number>
  invitation(hash: string, now: number): Promise<InvitationState>
  /**
   * Makes the user, or adds the access from the invitation. The link stops working.
   *
   * @param accepted.userId of the user who has signed in, or of the one to make
   * @returns `null`: the link works no more, or is for another user, who can sign in
   */
  accept(hash: string, accepted: { now: number; userId: string }): Promise<User | null>
}
