import { X509Certificate } from 'node:crypto'
import { type DerValue, derValuesIn } from '../der.ts'

const tags = { integer: 0x02, octets: 0x04, objectId: 0x06, sequence: 0x30, extensions: 0xa3, keyIdentifier: 0x80 }
/** `id-ce-authorityKeyIdentifier`, 2.5.29.35 (RFC 5280 section 4.2.1.1). */
const authorityKeyIdentifier = Buffer.of(0x55, 0x1d, 0x23)

/**
 * A certificate's id for renewal (RFC 9773 section 4.1): the issuer's key identifier and the serial number, as the bytes of the
 * DER integer including a leading zero byte.
 *
 * @param certificate PEM; the first one of a chain
 * @returns `null`: not a certificate, or one without its issuer's key identifier
 */
export function renewalId(certificate: string): string | null {
  const body = valuesOf(valuesOf(rawOf(certificate), 0), 0)
  const serial = body?.find(({ tag }) => tag === tags.integer)?.content
  const key = issuerKeyOf(body?.find(({ tag }) => tag === tags.extensions))
  return serial === undefined || key === null
    ? null
    : [key, serial].map((bytes) => Buffer.from(bytes).toString('base64url')).join('.')
}

function rawOf(certificate: string): DerValue[] | null {
  try {
    return derValuesIn(new Uint8Array(new X509Certificate(certificate).raw))
  } catch {
    return null
  }
}

/** The values inside the list's element at this index. */
function valuesOf(values: DerValue[] | null, index: number): DerValue[] | null {
  const value = values?.[index]
  return value === undefined ? null : derValuesIn(value.content)
}

/** An extension has an identifier, an optional `critical`, and octets with the DER of its value. */
function issuerKeyOf(extensions: DerValue | undefined): Uint8Array | null {
  const list = extensions === undefined ? null : valuesOf(derValuesIn(extensions.content), 0)
  for (const extension of list ?? []) {
    const [id, ...rest] = derValuesIn(extension.content) ?? []
    const value = rest.at(-1)
    if (id === undefined || value?.tag !== tags.octets || !authorityKeyIdentifier.equals(id.content)) continue
    const names = valuesOf(derValuesIn(value.content), 0)
    return names?.find(({ tag }) => tag === tags.keyIdentifier)?.content ?? null
  }
  return null
}
