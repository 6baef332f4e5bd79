import { newSecret, sign, verifies } from '../../lib/sign.ts'

/** The path under which a box proves that it serves a name. */
export const proofPathPrefix = '/.well-known/capture/'

const nonceCharacters = 22
const noncePattern = new RegExp(`^[A-Za-z0-9_-]{${nonceCharacters}}$`)

/** 128 random bits, so that nobody can know the answer in advance. */
export const newNonce = (): string => Buffer.from(newSecret()).toString('base64url').slice(0, nonceCharacters)

/**
 * This box's answer to a nonce under one of its names. Stateless, so that a command can verify the service's answer. `null`: not a
 * nonce.
 *
 * @param secret of the current key of the purpose `name`
 * @param host lower-case, without port
 */
export const nameProof = (secret: Uint8Array, host: string, nonce: string): string | null =>
  noncePattern.test(nonce) ? sign(secret, signedText(host, nonce)) : null

/** Whether the answer is this box's. */
export const provesName = (secret: Uint8Array, host: string, nonce: string, answer: string): boolean =>
  verifies(secret, signedText(host, nonce), answer)

/** Host and nonce never contain a line feed, so the text is unambiguous. */
const signedText = (host: string, nonce: string): string => `name 1\n${host}\n${nonce}`
