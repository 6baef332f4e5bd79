import { newKeyText } from '../../lib/id.ts'

export const recoveryCodesMade = 10
/** 12 of 36 characters are 62 bits, so a plain hash withstands guessing. */
const characters = 12

/** New recovery codes, each valid once: `xxxx-xxxx-xxxx`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesMade }, () =>
    grouped(
      newKeyText(characters * 2)
        .toLowerCase()
        .slice(0, characters),
    ),
  )

const grouped = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

/** SHA-256 in hex of a code as people type it: with or without hyphens and spaces, in any case. */
export const recoveryHash = (typed: string): string =>
  Bun.SHA256.hash(typed.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'hex')
