import { sign, verifies } from '../lib/sign.ts'
import { type SigningKey, type SigningKeys, signingKeyIdPattern } from './signing-key.ts'

/** Where the link of a confirmation mail leads, on every connected domain; the token follows. */
export const confirmationPath = '/_svc/confirm/'

/** How long a link works. */
export const confirmationDays = 7
const confirmationMs = confirmationDays * 86_400_000

/** What a visitor confirms. */
interface ConfirmationLink {
  accountId: string
  submissionId: string
  /** Epoch milliseconds; from then on it works no more. */
  endsAt: number
}

/** When a link ends that was made for a submission that began to count then, epoch milliseconds. */
export const confirmationEndsAt = (countedAt: number): number => countedAt + confirmationMs

/**
 * The end of the address at which a visitor confirms a submission: `1.<submission>.<end>.<mac>.<key id>`, with nothing of the
 * visitor.
 *
 * @param key of the purpose `reply`, which is never replaced
 */
export function confirmationToken(link: ConfirmationLink, key: SigningKey): string {
  return `1.${link.submissionId}.${link.endsAt}.${sign(key.secret, signedText(link))}.${key.id}`
}

/** What a token confirms that this box signed for this account, even if it has ended; else `null`. */
export function readConfirmation(
  token: string,
  { accountId, keys, now }: { accountId: string; keys: SigningKeys; now: number },
): ConfirmationLink | null {
  const [, submissionId, endsAt, mac, keyId] = tokenPattern.exec(token) ?? []
  if (submissionId === undefined || mac === undefined || keyId === undefined) return null
  const link = { accountId, submissionId, endsAt: Number(endsAt) }
  const key = keys.verifying('reply', keyId, { accountId, now })
  return key !== null && verifies(key.secret, signedText(link), mac) ? link : null
}

const tokenPattern = new RegExp(
  `^1\\.([0-9a-f-]{36})\\.([1-9][0-9]{0,14})\\.([A-Za-z0-9_-]{43})\\.(${signingKeyIdPattern})$`,
)

const signedText = ({ accountId, submissionId, endsAt }: ConfirmationLink): string =>
  `confirmation 1\n${accountId}\n${submissionId}\n${endsAt}`
