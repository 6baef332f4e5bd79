import { type SigningKeys, signingKeyIdPattern } from '../../account/signing-key.ts'
import { newKeyText } from '../../lib/id.ts'
import { macCharacters, sign, verifies } from '../../lib/sign.ts'
import { type CookiePlace, cookieValue, hostCookieName, setCookie } from '../session/session-cookie.ts'

/** The longest that browsers keep a cookie (RFC 6265bis section 5.5). Each sign-in begins it anew. */
const knownSeconds = 400 * 86_400
/** 22 of 62 characters are 130 bits. */
const idCharacters = 22
const pattern = `${signingKeyIdPattern}\\.[0-9a-z]{1,9}\\.[A-Za-z0-9]{${idCharacters}}\\.[A-Za-z0-9_-]{${macCharacters}}`

const cookieName = (place: CookiePlace): string => hostCookieName('browser', place)

interface Known extends CookiePlace {
  keys: SigningKeys
  userId: string
  now: number
}

/**
 * The cookie by which a browser is known again as one in which the user has signed in: `KEY.ISSUED.ID.MAC`. The user is in the
 * MAC alone. It signs nobody in: it only gives the browser tries of its own, which strangers cannot use up.
 */
export function knownBrowserCookie({ keys, userId, now, ...place }: Known): string {
  const key = keys.current('browser')
  const [issued, id] = [Math.floor(now / 1000).toString(36), newKeyText(idCharacters)]
  const value = `${key.id}.${issued}.${id}.${sign(key.secret, signedText({ userId, issued, id }))}`
  return setCookie(cookieName(place), value, { maxAgeSeconds: knownSeconds, secure: place.secure })
}

/** The id of a browser in which the user has signed in before; `null`: it is unknown. @param header `Cookie` */
export function knownBrowser(header: string | null, { keys, userId, now, ...place }: Known): string | null {
  const value = cookieValue(header, cookieName(place), pattern)
  const [keyId = '', issued = '', id = '', mac = ''] = value?.split('.') ?? []
  const key = keys.verifying('browser', keyId, { accountId: null, now })
  if (key === null || now >= (Number.parseInt(issued, 36) + knownSeconds) * 1000) return null
  return verifies(key.secret, signedText({ userId, issued, id }), mac) ? id : null
}

const signedText = ({ userId, issued, id }: { userId: string; issued: string; id: string }): string =>
  `browser.1.${userId}.${issued}.${id}`
