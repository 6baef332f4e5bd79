import { domainToUnicode } from 'node:url'
import { decodedOnce } from '../../../capture/url/decoded-text.ts'

/** What is looked for in bytes that may be left of something erased. */
export interface Spellings {
  /** Lower-case ASCII texts, one of which is contained wherever it is; they also occur elsewhere. */
  hints: string[]
  standsIn(text: string): boolean
}

/** Texts exactly as they were sent: phone numbers, which have digits in common with much else. */
export const spelledLike = (texts: readonly string[]): Spellings => ({
  hints: [...texts],
  standsIn: (text) => texts.some((one) => text.includes(one)),
})

/**
 * How an address may be written: in any case, with composed letters or combining marks, its domain in punycode or not,
 * percent-encoded as in URLs, even twice.
 */
export class AddressSpellings implements Spellings {
  private readonly plain: string[]
  private readonly anywhere: RegExp
  private readonly whole: RegExp

  /** `email` as `identityEmail` writes it. */
  constructor(email: string) {
    const at = email.lastIndexOf('@')
    this.plain = [...new Set([email, email.slice(0, at + 1) + domainToUnicode(email.slice(at + 1))])]
    const either = `(?:${this.plain.map(RegExp.escape).join('|')})`
    this.anywhere = new RegExp(either, 'iu')
    this.whole = new RegExp(`(?<!${goesBefore})${either}(?!${goesOn})`, 'iu')
  }

  /** LIKE patterns, one of which matches wherever the address is contained; they also match much else. */
  get likePatterns(): string[] {
    return this.plain.map((text) => `%${certainParts(text).join('%')}%`.replace(/%+/g, '%'))
  }

  /** Lower-case ASCII texts, one of which is contained wherever the address is; they also occur elsewhere. */
  get hints(): string[] {
    return this.plain.map((text) =>
      certainParts(text).reduce((one, other) => (other.length > one.length ? other : one)),
    )
  }

  /**
   * Whether the text contains the address, even as part of a longer one: for bytes of a page, where another column's
   * text may end right before it.
   */
  standsIn(text: string): boolean {
    return readings(text).some((reading) => this.anywhere.test(reading))
  }

  /** The complete address: `ada@x.example` is contained neither in `nada@x.example` nor in `ada@x.example.org`. */
  isNamedIn(text: string): boolean {
    return readings(text).some((reading) => this.whole.test(reading))
  }
}

/** What extends an address to the left: letters, digits, and signs of a local part that may also end words… */
const goesBefore = '[\\p{L}\\p{M}\\p{N}._+-]'
/** …and to the right: more of its domain. Percent-encoding after it shows in the next reading. */
const goesOn = '[\\p{L}\\p{M}\\p{N}-]|\\.[\\p{L}\\p{N}]|%[0-9a-f]{2}'

/** One spelling may have a letter where another has a letter with marks; other characters may be percent-encoded. */
const writtenInWays = /[a-z0-9]\p{M}+|[^a-z0-9.-]/u

/** The parts of the text that every spelling writes alike, but for the case. */
const certainParts = (text: string): string[] => text.split(writtenInWays)

/** The text as it is, decoded once, and decoded twice, each normalised like an identity. */
function readings(text: string): string[] {
  const once = decodedOnce(text)
  return [...new Set([text, once, decodedOnce(once)])].map((reading) => reading.toLowerCase().normalize('NFC'))
}
