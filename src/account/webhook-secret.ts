import { newSecret } from '../lib/sign.ts'

/** Standard Webhooks 1.0, "Signature scheme": a secret is `whsec_` and the base64 of 24 to 64 random bytes. */
const prefix = 'whsec_'
const secretBytesMin = 24
const secretBytesMax = 64

/** A new secret for a webhook, as receivers get it. */
export const mintWebhookSecret = (): string => prefix + newSecret().toBase64()

/** The secret in its stored spelling; the prefix may be left out. `null`: not a valid secret. */
export function readWebhookSecret(text: string): string | null {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const bytes = bytesOf(encoded)
  if (bytes === null || bytes.length < secretBytesMin || bytes.length > secretBytesMax) return null
  return prefix + bytes.toBase64()
}

/** The key that signatures are made with. @param secret as `readWebhookSecret` returns it */
export const webhookKey = (secret: string): Uint8Array => Uint8Array.fromBase64(secret.slice(prefix.length))

/** Recognises a secret without storing it in settings: lower-case hex SHA-256. */
export const webhookSecretFingerprint = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

function bytesOf(encoded: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(encoded)
  } catch {
    return null
  }
}
