import type { OriginAllowlist } from './origin-allowlist.ts'

/** Longer addresses are not sent to visitors. */
const urlCharsMax = 2048

/** The hosts to which an account may redirect its visitors. */
export interface RedirectHosts {
  /** Connected domains. */
  domains: readonly string[]
  originAllowlist: OriginAllowlist
}

/**
 * The form's `redirect_url` if an answer may carry it, as the URL parser writes it, else `null` (docs/forms.md): absolute
 * `https` or `http`, no user info, and the host, port ignored, is a connected domain of the account or that of an
 * allowlisted origin.
 */
export function safeRedirectUrl(raw: string, { domains, originAllowlist }: RedirectHosts): string | null {
  if (raw.length > urlCharsMax || !absoluteHttp.test(raw)) return null
  const url = URL.parse(raw)
  if (url === null || url.username !== '' || url.password !== '') return null
  const host = url.hostname.replace(/\.$/, '')
  const isKnown = domains.includes(host) || originAllowlist.allowsHost(host)
  return isKnown ? url.href : null
}

/** What the parser would mend is refused: `https:host`, `https:\\host`, and white space or an `@` where the host stands. */
const absoluteHttp = /^https?:\/\/[^/?#@\\\s]+(?:[/?#].*)?$/is
