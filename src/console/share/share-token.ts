import { type SigningKeys, signingKeyIdPattern } from '../../account/signing-key.ts'
import { newSecret, sign, verifies } from '../../lib/sign.ts'

const idBytes = 16
const tokenPattern = new RegExp(
  `^(${signingKeyIdPattern})\\.([0-9a-f]{${idBytes * 2}})\\.([0-9a-z]{1,9})\\.([\\w-]{43})$`,
)

/** The content of a link to a shared report: the share's id and its expiry. */
export interface ShareClaim {
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
