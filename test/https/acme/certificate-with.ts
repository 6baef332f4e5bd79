import { generateKeyPairSync, sign } from 'node:crypto'
import { bits, explicit, integer, objectIds, octets, sequence, set, utcTime, utf8 } from '../../../src/https/der.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const tagged = (tag: number, content: Uint8Array): Uint8Array => Uint8Array.of(tag, content.length, ...content)
const authorityKeyIdentifier = Uint8Array.of(0x06, 0x03, 0x55, 0x1d, 0x23)

/** A certificate with this serial number, as the bytes of its DER integer in hex, and this key identifier of its issuer. */
export function certificateWith({ serial, authorityKey }: { serial: string; authorityKey: string | null }): string {
  const algorithm = sequence(objectIds.ecdsaWithSha256)
  const name = sequence(set(sequence(objectIds.commonName, utf8('test'))))
  const keyIdentifier = authorityKey === null ? [] : [tagged(0x80, hex(authorityKey))]
  const extension = sequence(authorityKeyIdentifier, octets(sequence(...keyIdentifier)))
  const body = sequence(
    explicit(0, integer(Uint8Array.of(2))),
    integer(hex(serial)),
    algorithm,
    name,
    sequence(utcTime('260101000000Z'), utcTime('360101000000Z')),
    name,
    new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
    explicit(3, sequence(extension)),
  )
  const certificate = sequence(body, algorithm, bits(new Uint8Array(sign('sha256', body, privateKey))))
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate).toString('base64')}\n-----END CERTIFICATE-----\n`
}
