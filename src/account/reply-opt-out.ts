import { sign, verifies } from '../lib/sign.ts'
import { type SigningKey, type SigningKeys, signingKeyIdPattern } from './signing-key.ts'

/** 128 bits tell addresses apart and keep the link short. */
const markCharacters = 22

/**
 * Represents a visitor's address in one account. Without the key, nobody can compute it from an address or test a guess. It may
 * be stored where the address may not.
 *
 * @param email as `identityEmail` writes it: lower-case, the domain in punycode
 * @param key of the purpose `reply`, which is never replaced
 */
export const replyMark = (accountId: string, email: string, key: SigningKey): string =>
  sign(key.secret, `reply address 1\n${accountId}\n${email}`).slice(0, markCharacters)

/** The same for all accounts of the box together: whoever gets mail from one box does not care which account sent it. */
export const boxReplyMark = (email: string, key: SigningKey): string =>
  sign(key.secret, `reply address of the box 1\n${email}`).slice(0, markCharacters)

/** The end of the address that unsubscribes a visitor: `1.<mark>.<mac>.<key id>`, without the address. */
export const replyOptOutToken = (mark: string, accountId: string, key: SigningKey): string =>
  `1.${mark}.${sign(key.secret, signedText(accountId, mark))}.${key.id}`

/** The mark in a token that this box signed for this account; else `null`. */
export function readReplyOptOut(
  token: string,
  { accountId, keys, now }: { accountId: string; keys: SigningKeys; now: number },
): string | null {
  const [, mark, mac, keyId] = tokenPattern.exec(token) ?? []
  if (mark === undefined || mac === undefined || keyId === undefined) return null
  const key = keys.verifying('reply', keyId, { accountId, now })
  return key !== null && verifies(key.secret, signedText(accountId, mark), mac) ? mark : null
}

const tokenPattern = new RegExp(
  `^1\\.([A-Za-z0-9_-]{${markCharacters}})\\.([A-Za-z0-9_-]{43})\\.(${signingKeyIdPattern})$`,
)

const signedText = (accountId: string, mark: string): string => `reply opt-out 1\n${accountId}\n${mark}`

/** Where the address that ends with the token is served, on every connected domain. */
export const replyOptOutPath = '/_svc/u/'

/**
 * Visitors who want no more replies from an account.
 *
 * Guarantees: resolved means on disk. It is permanent: only the removal of the account deletes it, not an erasure. Rejects with
 * `LedgerUnavailable` within 5 s when it cannot be stored.
 */
export interface ReplyOptOuts {
  add(accountId: string, mark: string): Promise<void>
}
