import type { SigningKeys } from '../account/signing-key.ts'
import { sign, verifies } from '../lib/sign.ts'

/** A preview surface of one account. */
export interface PreviewAddress {
  accountId: string
  /** As it stands in the address: `/_preview/img/k3x9a0b1`. */
  path: string
}

/** The query of a signed preview address (contract section 4, "Preview"): valid before the instant in `exp`. */
export function signedPreviewQuery(address: PreviewAddress, expiresAtSeconds: number, keys: SigningKeys): string {
  const exp = String(expiresAtSeconds)
  return `exp=${exp}&sig=${sign(keys.current('preview').secret, signedText(address, exp))}`
}

/**
 * Whether the query is the signature of this very address and has not expired. Preview keys that were rotated away do
 * not verify, so the current one is all that is looked at, and the address need not name it.
 */
export function previewVerified(
  address: PreviewAddress,
  query: URLSearchParams,
  { keys, now }: { keys: SigningKeys; now: number },
): boolean {
  const exp = onlyValue(query, 'exp')
  const mac = onlyValue(query, 'sig')
  if (exp === null || mac === null || !expPattern.test(exp)) return false
  return verifies(keys.current('preview').secret, signedText(address, exp), mac) && now < Number(exp) * 1000
}

/** Unix seconds, written the one way there is. */
const expPattern = /^[1-9][0-9]{0,11}$/

/** A parameter given twice is none: nothing in front of us may read another one than we do. */
function onlyValue(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name)
  return values.length === 1 ? (values[0] ?? null) : null
}

const signedText = ({ accountId, path }: PreviewAddress, exp: string): string =>
  `preview 1\n${accountId}\n${exp}\n${path}`
