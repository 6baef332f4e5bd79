import { newSecret, sign, verifies } from '../../lib/sign.ts'

/** Below it a box proves that it is the one that serves a name. */
export const proofPathPrefix = '/.well-known/capture/'

const nonceCharacters = 22
const noncePattern = new RegExp(`^[A-Za-z0-9_-]{${nonceCharacters}}$`)

/** A question that nobody can have heard the answer to: 128 random bits. */
export const newNonce = (): string => Buffer.from(newSecret()).toString('base64url').slice(0, nonceCharacters)

/**
 * What this box answers to a nonce under one of its names. Stateless, so that a command can check what the service
 * answers. `null`: it is no nonce.
 *
 * @param secret of the current key of the purpose `name`
 * @param host lower-case, without port
 */
export const nameProof = (secret: Uint8Array, host: string, nonce: string): string | null =>
  noncePattern.test(nonce) ? sign(secret, signedText(host, nonce)) : null

/** Whether an answer is the box's own. */
export const provesName = (secret: Uint8Array, host: string, nonce: string, answer: string): boolean =>
  verifies(secret, signedText(host, nonce), answer)

/** Neither holds a line feed. */
const signedText = (host: string, nonce: string): string => `name 1\n${host}\n${nonce}`
