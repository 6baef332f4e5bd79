import type { SigningKey } from '../account/signing-key.ts'
import { sign } from '../lib/sign.ts'

/** 128 bits distinguish recipients and keep the token short. */
const macCharactersKept = 22

/**
 * The opaque id of a link's recipient: the same for every link of one account and key, different in every other account. Without the
 * key, nobody can compute it from an address or test a guess. It names its key, so that an address can be compared with the ids of
 * recorded clicks after a rotation.
 *
 * `email` is an identity as `identityEmail` writes it: lower-case, the domain in punycode.
 */
export const recipientId = (accountId: string, email: string, key: SigningKey): string =>
  `${key.id}.${sign(key.secret, `click recipient 1\n${accountId}\n${email}`).slice(0, macCharactersKept)}`
