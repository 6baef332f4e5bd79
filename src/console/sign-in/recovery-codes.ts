import { newReadableText } from '../../lib/id.ts'

export const recoveryCodesMade = 10
/** 24 of 32 characters are 120 bits: unlike passwords, secrets of 112 or more need no slow hash (ASVS 6.5.2). */
const characters = 24

/** New recovery codes, each valid once: `xxxx-xxxx-xxxx-xxxx-xxxx-xxxx`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesMade }, () => grouped(newReadableText(characters)))

const grouped = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

/** Whether the text has the form of a recovery code, unlike a code from an app. */
export const isRecoveryCode = (typed: string): boolean => plain(typed).length === characters

/** What is stored of a code, however it is typed: with or without hyphens and spaces, in any case. */
export const recoveryHash = (typed: string): string => Bun.SHA256.hash(plain(typed), 'hex')

const plain = (typed: string): string => typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
