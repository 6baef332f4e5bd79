import type { SigningKey } from '../account/signing-key.ts'
import { sign } from '../lib/sign.ts'

/** 128 bits distinguish recipients and keep the token short. */
const macCharactersKept = 22

/**
 * The opaque id of whom a link was sent to: the same for every link of one account and key, another in every other
 * account, and without the key nobody can compute one from an address or test a guess. It names its key, so that a
 * person's address can be compared with the ids of recorded clicks after the key was rotated.
 *
 * `email` is an identity as `identityEmail` writes it: lower-case, the domain in punycode.
 */
export const recipientId = (accountId: string, email: string, key: SigningKey): string =>
  `${key.id}.${sign(key.secret, `click recipient 1\n${accountId}\n${email}`).slice(0, macCharactersKept)}`
