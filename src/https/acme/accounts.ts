import { trimmedOf } from '../../lib/trimmed.ts'
import type { AccountKey } from './account-key.ts'
import type { AcmeConnection } from './acme-connection.ts'
import { locationOf } from './answers.ts'
import type { AccountRequest } from './authority.ts'
import { externalBinding } from './jws.ts'
import { AcmeProblem, type AcmeProblemKind } from './problem.ts'
import type { Answer } from './transport.ts'

/**
 * The URL of this key's account at the authority, or of a new one (RFC 8555 sections 7.3 and 7.3.1). It looks for an existing
 * account first, because some authorities accept the credentials of an external binding only once.
 */
export async function accountUrlOf(
  connection: AcmeConnection,
  key: AccountKey,
  request: Omit<AccountRequest, 'key' | 'url'>,
  signal: AbortSignal,
): Promise<string> {
  const { newAccount } = await connection.directory(signal)
  const ask = (payload: object): Promise<Answer> => connection.post(newAccount, payload, { key, kid: null }, signal)
  const found = await ask({ onlyReturnExisting: true }).catch(nullWhereUnknown)
  if (found !== null) return locationOf(found)
  const { contact, externalBinding: binding } = request
  const made = await ask({
    termsOfServiceAgreed: true,
    ...(contact === '' ? {} : { contact: [`mailto:${contact}`] }),
    ...(binding === null
      ? {}
      : { externalAccountBinding: externalBinding(newAccount, key.jwk, binding.kid, hmacBytes(binding.hmac)) }),
  }).catch((error) => {
    // The account key has just signed a successful request, so a bad signature is the binding's.
    throw binding === null ? error : withKind(error, ['refused', 'badSignature'], 'externalBindingRefused')
  })
  return locationOf(made)
}

/** Authorities report a missing account differently. Only a deactivated one must not be replaced. */
function nullWhereUnknown(error: unknown): null {
  const isUnknown =
    error instanceof AcmeProblem && ['accountGone', 'externalBindingRequired', 'refused'].includes(error.kind)
  if (isUnknown && !error.type.endsWith(':unauthorized')) return null
  throw withKind(error, ['refused'], 'keyRefused')
}

function withKind(error: unknown, from: AcmeProblemKind[], to: AcmeProblemKind): unknown {
  return error instanceof AcmeProblem && from.includes(error.kind) ? error.as(to) : error
}

/** Authorities issue base64url; some consoles show it with padding or as base64. */
function hmacBytes(text: string): Uint8Array {
  const plain = trimmedOf('=', text.trim()).replaceAll('+', '-').replaceAll('/', '_')
  try {
    const bytes = Uint8Array.fromBase64(plain, { alphabet: 'base64url' })
    if (bytes.length > 0) return bytes
  } catch {
    // The same fault as an empty one.
  }
  throw new AcmeProblem({
    kind: 'externalBindingRefused',
    detail: 'the HMAC key is not base64url: copy it again from where the authority shows it',
  })
}
