import type { Scope } from '../../account/scope.ts'
import { newKeyText } from '../../lib/id.ts'
import type { Maker } from '../access/caller.ts'

/** An API token as stored: never the token itself. It ends with its maker: when that token is revoked, or that user removed. */
export interface ApiToken extends Maker {
  /** UUIDv7. */
  id: string
  name: string
  /** `null`: a token of the box. */
  accountId: string | null
  scopes: readonly Scope[]
  /** The first characters, by which people recognise the token. */
  prefix: string
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  lastUsedAt: number | null
}

const tokenPrefix = 'cap_'
/** 40 of 62 characters are 238 bits. */
const secretCharacters = 40
const shownCharacters = tokenPrefix.length + 6
export const tokenNameCharactersMax = 80
/** How long an expired or revoked token stays listed. */
export const tokenKeptMs = 90 * 86_400_000
/** Ten years; every token expires. */
export const tokenLifeMsMax = 3650 * 86_400_000

const tokenPattern = new RegExp(`^${tokenPrefix}[A-Za-z0-9]{${secretCharacters}}$`)

/** A new token, which is shown once. */
export const newToken = (): string => tokenPrefix + newKeyText(secretCharacters)

export const shownPrefix = (token: string): string => token.slice(0, shownCharacters)

/** The SHA-256 in hex by which a token is found; `null`: the text is not a token. The token is random, so a plain hash is enough. */
export const tokenHash = (text: string): string | null =>
  tokenPattern.test(text) ? Bun.SHA256.hash(text, 'hex') : null

export const isUsable = ({ expiresAt, revokedAt }: ApiToken, now: number): boolean =>
  revokedAt === null && now < expiresAt

/** What ends together with its maker: a token that is revoked, or a user who is removed. */
export interface EndedWithMaker {
  /** Tokens that were usable, directly or indirectly of the maker. */
  tokens: readonly Pick<ApiToken, 'id' | 'name'>[]
  /** Addresses whose open invitations are withdrawn. */
  invitations: readonly string[]
  /** How many links to reports end. */
  shares: number
  /** Addresses that have accepted an invitation of theirs. They stay users. */
  accepted: readonly string[]
}

/**
 * API tokens. Expired and revoked ones stay listed for 90 days.
 *
 * Guarantees: nothing that a token has made outlives the token, users excepted.
 */
export interface TokenStore {
  /** @returns `false`: its maker may not make tokens any more; nothing was made */
  create(hash: string, token: ApiToken): Promise<boolean>
  find(hash: string): Promise<ApiToken | null>
  /** Latest first. @param accountId `undefined`: all; `null`: those of the box */
  list(accountId?: string | null): Promise<ApiToken[]>
  /** Idempotent. @returns `null`: there is no such token */
  revoke(id: string, at: number): Promise<{ token: ApiToken; ended: EndedWithMaker } | null>
  /** Recorded at most once a minute. */
  noteUse(id: string, at: number): Promise<void>
  eraseOld(before: number): Promise<number>
}
