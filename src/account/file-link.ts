import { sign, verifies } from '../lib/sign.ts'
import { type SigningKey, type SigningKeys, signingKeyIdPattern } from './signing-key.ts'

/** Where a file can be downloaded for some days without signing in, on every connected domain. A webhook gets such addresses. */
export const fileLinkPath = '/_svc/d/'

const dayMs = 86_400_000
export const fileLinkLivesMs = 7 * dayMs

/** One file of one submission. */
export interface FileNamed {
  submissionId: string
  fileId: string
}

/** The end of the address: `<submission>.<file>.<expiry, epoch seconds>.<mac>.<key id>`. @param key of the purpose `preview` */
export function fileLinkToken(
  { submissionId, fileId }: FileNamed,
  { accountId, expiresAt, key }: { accountId: string; expiresAt: number; key: SigningKey },
): string {
  const named = `${submissionId}.${fileId}.${Math.floor(expiresAt / 1000)}`
  return `${named}.${sign(key.secret, signedText(accountId, named))}.${key.id}`
}

/** The file of a token that this box signed for the account, until it expires; else `null`. */
export function readFileLink(
  token: string,
  { accountId, keys, now }: { accountId: string; keys: SigningKeys; now: number },
): FileNamed | null {
  const [, named = '', submissionId = '', fileId = '', expires = '', mac = '', keyId = ''] =
    tokenPattern.exec(token) ?? []
  const key = keys.verifying('preview', keyId, { accountId, now })
  if (key === null || !verifies(key.secret, signedText(accountId, named), mac)) return null
  return Number(expires) * 1000 > now ? { submissionId, fileId } : null
}

const tokenPattern = new RegExp(
  `^(([0-9a-f-]{36})\\.([0-9a-f-]{36})\\.(\\d{1,12}))\\.([A-Za-z0-9_-]{43})\\.(${signingKeyIdPattern})$`,
)

const signedText = (accountId: string, named: string): string => `visitor file 1\n${accountId}\n${named}`
