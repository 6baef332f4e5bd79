import { type SigningKeys, signingKeyIdPattern } from '../../account/signing-key.ts'
import { newSecret, sign, verifies } from '../../lib/sign.ts'
import type { TypedPeriod } from '../../report/report-period.ts'

/** A link that shows anybody the figures of one report without signing in. */
export interface ReportShare {
  /** 32 hexadecimal digits; see `shareToken`. */
  id: string
  accountId: string
  /** The period as written: an age counts from the day on which somebody opens the link. */
  period: TypedPeriod
  /** Epoch milliseconds, like the other instants. */
  createdAt: number
  expiresAt: number
  /** `null`: the link is valid until it expires. */
  revokedAt: number | null
  /** The link ends with that token; `null`: a user made it. */
  makerTokenId: string | null
}

/** The links. Removing an account deletes its links. */
export interface ReportShares {
  add(share: ReportShare): Promise<void>
  /** `null`: there is no such link, or its account was removed. */
  find(id: string): Promise<ReportShare | null>
  /** The account's links that are valid at the instant, latest first. */
  working(accountId: string, now: number): Promise<ReportShare[]>
  /** Revokes a link of the account at once; `false`: the account has no such valid link. */
  revoke(accountId: string, id: string, now: number): Promise<boolean>
  /** Deletes links that have expired by then or were revoked. */
  eraseOver(now: number): Promise<void>
}

const idBytes = 16
const tokenPattern = new RegExp(
  `^(${signingKeyIdPattern})\\.([0-9a-f]{${idBytes * 2}})\\.([0-9a-z]{1,9})\\.([\\w-]{43})$`,
)

/** The content of a link to a shared report: the share's id and its expiry. */
interface ShareClaim {
  id: string
  /** Epoch seconds. */
  expiresAtSeconds: number
}

export const newShareId = (): string => Buffer.from(newSecret(idBytes)).toString('hex')

/** The text of a link: key, share and expiry in plain text, and their MAC by the box's `share` key. */
export function shareToken({ id, expiresAtSeconds }: ShareClaim, keys: SigningKeys): string {
  const key = keys.current('share')
  const expiry = expiresAtSeconds.toString(36)
  return `${key.id}.${id}.${expiry}.${sign(key.secret, signedText(id, expiry))}`
}

/** `null`: not signed by this box, changed, or expired. This is decided without asking storage. */
export function verifiedShare(token: string, keys: SigningKeys, now: number): ShareClaim | null {
  const [, keyId = '', id = '', expiry = '', mac = ''] = tokenPattern.exec(token) ?? []
  const key = keys.verifying('share', keyId, { accountId: null, now })
  if (key === null || !verifies(key.secret, signedText(id, expiry), mac)) return null
  const expiresAtSeconds = Number.parseInt(expiry, 36)
  return now < expiresAtSeconds * 1000 ? { id, expiresAtSeconds } : null
}

const signedText = (id: string, expiry: string): string => `share.v1 ${id} ${expiry}`
