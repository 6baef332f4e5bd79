import { newKeyText } from '../../lib/id.ts'
import type { UserRole } from '../access/caller.ts'
import type { AccountRole } from '../access/role.ts'

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
  /** Epoch milliseconds. */
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
  /** Epoch milliseconds. */
  createdAt: number
  lastUsedAt: number | null
}

/** The access that an invitation gives. */
export type Invited =
  | { isOwner: true }
  | { isOwner: false; accountId: string; role: AccountRole; seesPersonalFields: boolean }

/** An unused invitation. */
export interface Invitation {
  email: string
  invited: Invited
  /** Epoch milliseconds. */
  expiresAt: number
}

export const invitationMs = 86_400_000

const secretCharacters = 43
export const invitationSecretPattern = `[A-Za-z0-9]{${secretCharacters}}`
export const newInvitationSecret = (): string => newKeyText(secretCharacters)

/** The hash by which an invitation is found: SHA-256 in hex of the secret in its link. */
export const invitationHash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')
