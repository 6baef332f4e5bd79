import { RecentMap } from '../lib/recent-map.ts'
import { sign, verifies } from '../lib/sign.ts'
import { type SigningKeys, signingKeyIdPattern } from './signing-key.ts'

/** The account of a cookie, and the keys. */
export interface IdentityCookieContext {
  accountId: string
  /** Whether the visitor uses HTTPS: then only the `__Host-` cookie counts. */
  secure: boolean
  keys: SigningKeys
  /** Epoch milliseconds. */
  now: number
}

/** Longer headers are not read; no browser sends them. */
const headerCharactersMax = 16_384
/** Limits how many cookies have their MAC verified. A visitor has one, or two with different paths. */
const candidatesMax = 4

const plainName = 'svc_id'
const secureName = '__Host-svc_id'
const attributes = '; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax'

/**
 * The device of the first valid identity cookie in a `Cookie` header (RFC 6265 section 4.2); `null`: there is none.
 * A cookie is valid if this box signed it for this account with a key that still verifies.
 */
export function readIdentityCookie(
  header: string | null,
  context: IdentityCookieContext,
  verified?: VerifiedCookies,
): string | null {
  if (header === null || header.length > headerCharactersMax) return null
  const start = `${context.secure ? secureName : plainName}=`
  let candidates = 0
  for (let at = header.indexOf(start); at >= 0; at = header.indexOf(start, at + start.length)) {
    if (!beginsPair(header, at)) continue
    if (++candidates > candidatesMax) return null
    const end = header.indexOf(';', at)
    const value = header.slice(at + start.length, end < 0 ? header.length : end)
    const deviceId = verifiedDevice(value.trimEnd(), context, verified)
    if (deviceId !== null) return deviceId
  }
  return null
}

/** The `Set-Cookie` value that gives the device to the visitor for 400 days (docs/privacy.md). */
export function identityCookieHeader(deviceId: string, { accountId, secure, keys }: IdentityCookieContext): string {
  const key = keys.current('cookie')
  const value = `${deviceId}.${key.id}.${sign(key.secret, signedText(accountId, deviceId))}`
  return secure ? `${secureName}=${value}${attributes}; Secure` : `${plainName}=${value}${attributes}`
}

/** Whether a cookie's name starts here, rather than the end of another name or value. */
function beginsPair(header: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && (header[before] === ' ' || header[before] === '\t')) before--
  return before < 0 || header[before] === ';'
}

const valuePattern = new RegExp(
  `^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\\.(${signingKeyIdPattern})\\.([A-Za-z0-9_-]{43})$`,
)

function verifiedDevice(
  value: string,
  { accountId, keys, now }: IdentityCookieContext,
  verified?: VerifiedCookies,
): string | null {
  const known = verified?.find(accountId, value)
  // A key's secret never changes, but it may have stopped verifying since.
  if (known !== undefined)
    return keys.verifying('cookie', known.keyId, { accountId, now }) === null ? null : known.deviceId
  const [, deviceId, keyId, mac] = valuePattern.exec(value) ?? []
  if (deviceId === undefined || keyId === undefined || mac === undefined) return null
  const key = keys.verifying('cookie', keyId, { accountId, now })
  if (key === null || !verifies(key.secret, signedText(accountId, deviceId), mac)) return null
  verified?.remember(accountId, value, { deviceId, keyId })
  return deviceId
}

interface VerifiedCookie {
  deviceId: string
  keyId: string
}

/** Cookies remembered in each of two generations: some 6 MB when both are full. */
const rememberedMax = 10_000

/** Cookies whose MAC was verified. A visitor sends the same cookie with every request. */
export class VerifiedCookies {
  private readonly remembered = new RecentMap<VerifiedCookie>(rememberedMax)

  find(accountId: string, value: string): VerifiedCookie | undefined {
    return this.remembered.get(accountId + value)
  }

  remember(accountId: string, value: string, cookie: VerifiedCookie): void {
    this.remembered.set(accountId + value, cookie)
  }
}

const signedText = (accountId: string, deviceId: string): string => `identity cookie 1\n${accountId}\n${deviceId}`
