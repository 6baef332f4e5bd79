import type { AccountKey } from './account-key.ts'
import type { AcmeConnection } from './acme-connection.ts'
import { locationOf } from './answers.ts'
import type { AccountRequest } from './authority.ts'
import { externalBinding } from './jws.ts'
import { AcmeProblem, type AcmeProblemKind } from './problem.ts'
import type { Answer } from './transport.ts'

/**
 * The URL of the account that the authority has for this key, else of a new one (RFC 8555 sections 7.3 and 7.3.1). It
 * looks first: the credentials of an external binding are good once with some authorities.
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
    // The key itself has just signed a question that was answered, so a bad signature is that of the binding.
    throw binding === null ? error : withKind(error, ['refused', 'badSignature'], 'externalBindingRefused')
  })
  return locationOf(made)
}

/** Not every authority says it in the same way: only a deactivated account is a reason not to ask for a new one. */
function nullWhereUnknown(error: unknown): null {
  const isUnknown =
    error instanceof AcmeProblem && ['accountGone', 'externalBindingRequired', 'refused'].includes(error.kind)
  if (isUnknown && !error.type.endsWith(':unauthorized')) return null
  throw withKind(error, ['refused'], 'keyRefused')
}

function withKind(error: unknown, from: AcmeProblemKind[], to: AcmeProblemKind): unknown {
  return error instanceof AcmeProblem && from.includes(error.kind) ? error.as(to) : error
}

/** Authorities give it as base64url; some consoles show it with padding, or in base64. */
function hmacBytes(text: string): Uint8Array {
  const plain = text.trim().replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
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
