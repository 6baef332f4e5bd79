import { newReadableText } from '../../lib/id.ts'
import type { Passwords } from './password.ts'

const recoveryCodesMade = 10
/** 12 of 32 characters are 60 bits: too few for a plain hash, so codes are hashed like passwords. */
const characters = 12

/** New recovery codes, each valid once: `xxxx-xxxx-xxxx`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesMade }, () => grouped(newReadableText(characters)))

const grouped = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

/**
 * How many characters of a code stand before its hash, to find the one hash to compare: comparing with all of them would take so long
 * that the time of an answer would tell a right password.
 */
const indexCharacters = 2

/** What is stored of codes. */
export const recoveryHashes = (codes: readonly string[], passwords: Passwords): Promise<string[]> =>
  Promise.all(codes.map(async (code) => indexOf(plain(code)) + (await passwords.hash(plain(code)))))

/** Whether the text has the form of a recovery code, unlike a code from an app. */
export const isRecoveryCode = (typed: string): boolean => plain(typed).length === characters

/** What is stored of a code as people type it: with or without hyphens and spaces, in any case; `null`: the code is none of them. */
export async function hashOfRecoveryCode(
  typed: string,
  stored: readonly string[],
  passwords: Passwords,
): Promise<string | null> {
  if (!isRecoveryCode(typed)) return null
  const code = plain(typed)
  for (const hash of stored.filter((one) => one.startsWith(`${indexOf(code)}$`)))
    if (await passwords.verify(code, hash.slice(indexCharacters))) return hash
  return null
}

const plain = (typed: string): string => typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const indexOf = (code: string): string => code.slice(0, indexCharacters)
