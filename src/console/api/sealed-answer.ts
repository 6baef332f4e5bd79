import { newSecret } from '../../lib/sign.ts'

const nonceBytes = 12

/**
 * Encrypts an answer under the key that its caller chose, with AES-256-GCM (NIST SP 800-38D). Answers contain tokens and links that
 * the box otherwise stores only as hashes. The database has a hash of the key, not the key.
 */
export async function sealed(text: string, key: string): Promise<string> {
  const iv = new Uint8Array(newSecret(nonceBytes))
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await cipherKey(key),
    new TextEncoder().encode(text),
  )
  return Buffer.concat([iv, new Uint8Array(bytes)]).toString('base64')
}

/** @throws when the text was not encrypted under this key */
export async function unsealed(text: string, key: string): Promise<string> {
  const bytes = Buffer.from(text, 'base64')
  const iv = bytes.subarray(0, nonceBytes)
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await cipherKey(key), bytes.subarray(nonceBytes))
  return new TextDecoder().decode(plain)
}

/** The name under which the answer is stored: SHA-256 in hex. */
export const sealName = (key: string): string => Bun.SHA256.hash(`name of an answer\n${key}`, 'hex')

const cipherKey = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    Buffer.from(Bun.SHA256.hash(`seal of an answer\n${key}`, 'hex'), 'hex'),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  )
