import { generateX25519Identity, identityToRecipient } from 'age-encryption'

/** An age key pair. */
export interface KeyPair {
  /** `AGE-SECRET-KEY-1…`: opens backups. */
  identity: string
  /** `age1…`: encrypts them. */
  recipient: string
}

export async function newKeyPair(): Promise<KeyPair> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}
