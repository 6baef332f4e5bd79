import { createPrivateKey, type KeyObject, scryptSync } from 'node:crypto'
import { decodeLine, ed25519, keyIdBytes, linesOf, untrustedCommentPrefix } from './encoding.ts'
import { type PublicKey, publicKeyOf } from './public-key.ts'
import { SignatureFault } from './signature-fault.ts'

const saltBytes = 32
const seedBytes = 32
const checksumBytes = 32
/** libsodium's "sensitive" limit, which minisign begins with. */
const memoryBytesMax = 1024 ** 3
/** Where the key id begins: behind the names of three algorithms, the salt and two limits. */
const sealedAt = 6 + saltBytes + 8 + 8
const sealedBytes = keyIdBytes + 2 * seedBytes + checksumBytes

export interface SecretKey {
  id: Uint8Array
  key: KeyObject
  public: PublicKey
}

/**
 * Reads the text of minisign's secret key file, made with or without a password (`minisign -G`, `minisign -G -W`).
 *
 * @param password `null`: none is known
 * @throws SignatureFault `malformed`, also where the password is wrong or missing
 */
export function readSecretKey(text: string, password: string | null): SecretKey {
  const [line, ...more] = linesOf(text.trim()).filter((line) => !line.startsWith(untrustedCommentPrefix))
  if (line === undefined || more.length > 0) throw new SignatureFault('malformed', 'This is not one secret key.')
  const bytes = decodeLine(line, sealedAt + sealedBytes, 'secret key')
  const [algorithm, derivation, checksum] = [0, 2, 4].map((at) => bytes.toString('latin1', at, at + 2))
  if (algorithm !== ed25519 || checksum !== 'B2') {
    throw new SignatureFault('malformed', "This is not a minisign secret key's.")
  }
  if (derivation === '\0\0') return secretKeyOf(bytes.subarray(sealedAt))
  if (derivation !== 'Sc') throw new SignatureFault('malformed', 'The secret key is locked in an unknown way.')
  if (password === null) throw new SignatureFault('malformed', 'The secret key is locked, and no password was given.')
  return secretKeyOf(unlock(bytes, password))
}

function unlock(file: Buffer, password: string): Buffer {
  const salt = file.subarray(6, 6 + saltBytes)
  const [operations, memory] = [0, 8].map((at) => Number(file.readBigUInt64LE(6 + saltBytes + at)))
  const pad = scryptSync(password, salt, sealedBytes, scryptCost(operations, memory))
  const opened = Buffer.from(file.subarray(sealedAt).map((byte, at) => byte ^ (pad[at] ?? 0)))
  const key = opened.subarray(0, -checksumBytes)
  const checksum = new Bun.CryptoHasher('blake2b256').update(ed25519).update(key).digest()
  if (opened.subarray(-checksumBytes).equals(checksum)) return opened
  throw new SignatureFault('malformed', 'The password of the secret key is wrong.')
}

/**
 * scrypt's cost (RFC 7914), as libsodium derives it from the two limits that the file holds. minisign takes libsodium's
 * "sensitive" limits, and halves both where memory is short, so that only the amount of memory varies.
 */
function scryptCost(operations = 0, memory = 0) {
  const [N, r, p] = [memory / 1024, 8, 1]
  if (operations * 32 === memory && Number.isInteger(Math.log2(N)) && memory <= memoryBytesMax) {
    return { N, r, p, maxmem: memory + 1024 * 1024 }
  }
  throw new SignatureFault('malformed', 'The secret key is locked in a way that minisign does not use.')
}

/** The key id, the seed, and the public key that follows from it. */
function secretKeyOf(opened: Uint8Array): SecretKey {
  const id = opened.subarray(0, keyIdBytes)
  const seed = opened.subarray(keyIdBytes, keyIdBytes + seedBytes)
  const publicBytes = opened.subarray(keyIdBytes + seedBytes, keyIdBytes + 2 * seedBytes)
  const [d, x] = [base64url(seed), base64url(publicBytes)]
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
  return { id, key, public: publicKeyOf(id, publicBytes) }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
