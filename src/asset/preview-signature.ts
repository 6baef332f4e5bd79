import type { SigningKeys } from '../account/signing-key.ts'
import { onlyValue } from '../lib/request-target.ts'
import { sign, verifies } from '../lib/sign.ts'

/** A preview surface of one account. */
export interface PreviewAddress {
  accountId: string
  /** As in the address: `/_preview/img/k3x9a0b1`. */
  path: string
  /** The version that the address shows; absent: the current version. */
  version?: number
}

/** What a valid address says. `version: null`: the current one. */
export interface ValidPreview {
  verdict: 'valid'
  version: number | null
  /** Epoch milliseconds. */
  expiresAt: number
}

/** The result of verifying an address. */
export type PreviewJudgement =
  | ValidPreview
  /** It was valid until then, epoch milliseconds. */
  | { verdict: 'expired'; expiredAt: number }
  | { verdict: 'wrong' }

/** The query of a signed preview address (docs/previews.md): valid before the instant in `exp`. */
export function signedPreviewQuery(address: PreviewAddress, expiresAtSeconds: number, keys: SigningKeys): string {
  const exp = String(expiresAtSeconds)
  const version = address.version === undefined ? '' : `&v=${address.version}`
  return `exp=${exp}&sig=${sign(keys.current('preview').secret, signedText(address, exp))}${version}`
}

const siteStart = '/_preview/site/'

/**
 * What the addresses of an account's images, files and assets begin with on a host of previews, valid before that instant. The
 * signature is part of the path, so what a stylesheet or a module refers to relatively is signed too.
 */
export function signedSitePath(
  { id: accountId, handle }: { id: string; handle: string },
  expiresAtSeconds: number,
  keys: SigningKeys,
): string {
  const path = siteStart + handle
  const exp = String(expiresAtSeconds)
  return `${path}.${exp}.${sign(keys.current('preview').secret, signedText({ accountId, path }, exp))}`
}

/** The handle in a signed site's path, and what to judge it by; `null`: it is none. */
export function signedSiteIn(path: string): { handle: string; path: string; query: URLSearchParams } | null {
  const [link = ''] = path.startsWith(siteStart) ? path.slice(siteStart.length).split('/', 1) : []
  const [handle = '', exp, sig, ...more] = link.split('.')
  if (exp === undefined || sig === undefined || more.length > 0) return null
  return { handle, path: siteStart + handle, query: new URLSearchParams({ exp, sig }) }
}

/**
 * Whether the query is the signature of this very address and has not expired. Preview keys that were rotated away do
 * not verify, so the current one, and that of a box the account was moved from, are all that is looked at, and the address need
 * not name it. That an address has expired is said only of one that was valid.
 */
export function judgePreview(
  { accountId, path }: { accountId: string; path: string },
  query: URLSearchParams,
  { keys, now }: { keys: SigningKeys; now: number },
): PreviewJudgement {
  const exp = onlyValue(query, 'exp')
  const mac = onlyValue(query, 'sig')
  if (exp === null || mac === null || !expPattern.test(exp)) return wrong
  const version = query.has('v') ? onlyValue(query, 'v') : null
  if (query.has('v') && !versionPattern.test(version ?? '')) return wrong
  const address: PreviewAddress = version === null ? { accountId, path } : { accountId, path, version: Number(version) }
  const text = signedText(address, exp)
  if (!keys.allVerifying('preview', { accountId, now }).some(({ secret }) => verifies(secret, text, mac))) return wrong
  const expiresAt = Number(exp) * 1000
  if (now >= expiresAt) return { verdict: 'expired', expiredAt: expiresAt }
  return { verdict: 'valid', version: address.version ?? null, expiresAt }
}

const wrong: PreviewJudgement = { verdict: 'wrong' }

/** Unix seconds in canonical form. */
const expPattern = /^[1-9][0-9]{0,11}$/
const versionPattern = /^[1-9][0-9]{0,8}$/

/** Paths contain no line feed, so the signed text is unambiguous. */
const signedText = ({ accountId, path, version }: PreviewAddress, exp: string): string =>
  `preview 1\n${accountId}\n${exp}\n${path}${version === undefined ? '' : `\n${version}`}`
