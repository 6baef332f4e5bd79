import type { Texts } from '../../language/texts/en.ts'
import { filled } from '../../language/wording.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../../operations/box.ts'
import listFile from './common-passwords-list/list.gz' with { type: 'file' }

/** Argon2id with 19 MiB and two passes, as OWASP's cheat sheet for password storage has it: some 50 ms of a core. */
const hashing = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const noBytes = 'A'.repeat(43)
/** Of no known password. Verified for unknown users, so that the time of an answer does not reveal who exists. */
const decoy = `$argon2id$v=19$m=${hashing.memoryCost},t=${hashing.timeCost},p=1$${noBytes}$${noBytes}`
export const passwordCharactersMin = 12
const passwordCharactersMax = 200
/** The most passwords that wait to be hashed. More are an attack, and each would wait too long. */
const waitingMax = 8
/** The places that strangers leave to browsers in which the user has signed in before. */
const knownWaitingMax = 16

type PasswordFaults = Texts['console']['entry']['passwordFaults']

/** Why a new password is not acceptable; `null`: it is. */
export function passwordFault(password: string, email: string, words: PasswordFaults): string | null {
  const { length } = [...password]
  if (length < passwordCharactersMin) return filled(words.short, { count: passwordCharactersMin })
  if (length > passwordCharactersMax) return filled(words.long, { count: passwordCharactersMax })
  if (new Set(password).size < 5) return words.poor
  const [name = ''] = email.split('@')
  return name.length >= 4 && password.toLowerCase().includes(name.toLowerCase()) ? words.address : null
}

interface NewPassword {
  password: string
  email: string
  words: PasswordFaults
}

/** Why a new password is not acceptable here (docs/console.md); `null`: it is. */
export async function newPasswordFault(
  { password, email, words }: NewPassword,
  box: Pick<Box, 'accounts' | 'config'>,
): Promise<string | null> {
  const fault = passwordFault(password, email, words)
  if (fault !== null) return fault
  if (await isCommonPassword(password)) return words.common
  return (await isMadeOfNames(password, await namesOf(box, email))) ? words.names : null
}

/** The product, the accounts, and the parts of host names and of the user's address. */
async function namesOf({ accounts, config }: Pick<Box, 'accounts' | 'config'>, email: string): Promise<string[]> {
  const found = await Promise.all((await accounts.list()).map(({ handle }) => accounts.find(handle)))
  const all = found.filter((account) => account !== null)
  const hosts = [
    config.console.host ?? '',
    config.server.previewHost,
    ...all.flatMap(({ settings }) => settings.domains),
  ]
  const parts = hosts.flatMap((host) => host.split('.'))
  const names = all.flatMap(({ handle, settings: { name } }) => [handle, name, ...name.split(/\s/)])
  return ['capture', ...email.split(/[@.]/), ...parts, ...names]
}

/**
 * Hashes and verifies passwords one at a time: two at once would slow down everything else on a small machine.
 */
export class Passwords {
  private waiting = 0
  private last: Promise<unknown> = Promise.resolve()

  hash(password: string): Promise<string> {
    return this.inTurn(() => Bun.password.hash(password.normalize('NFC'), hashing))
  }

  /** @param hash `null`: there is no such user, or the user has no password. @throws TooManyPasswords */
  async verify(password: string, hash: string | null, { isKnown } = { isKnown: false }): Promise<boolean> {
    if (this.waiting >= (isKnown ? knownWaitingMax : waitingMax)) throw new TooManyPasswords()
    const matches = await this.inTurn(() => Bun.password.verify(password.normalize('NFC'), hash ?? decoy))
    return matches && hash !== null
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++
    const done = this.last.then(work).finally(() => this.waiting--)
    this.last = done.catch(() => {})
    return done
  }
}

export class TooManyPasswords extends OperatorError {
  constructor() {
    super('Too many passwords are being checked. Try again in a few seconds.')
  }
}

// 10,000 passwords in the order of how common they are, and all of 12 characters and more, from @zxcvbn-ts/language-common 4.1.3.

/** As many digits and signs around a common password make it a password of its own. */
const decorationMin = 8
/** Shorter names are found in every other word. */
const nameCharactersMin = 4
/** A password with fewer characters beside such names is made of them. */
const besideNamesMin = 8

/**
 * Whether a password is one that everybody tries: a common one, a common one with a few digits and signs around it, or one that
 * repeats itself. The list is read anew each time: passwords are rarely set, and so it takes no memory meanwhile.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = Buffer.from(Bun.gunzipSync(await Bun.file(listFile).bytes())).toString()
  const has = (word: string) => list.includes(`\n${word}\n`)
  const typed = folded(password)
  const bare = fromLetterToLetter.exec(typed)?.[0] ?? ''
  const decoration = typed.replace(bare, '')
  const isDecorated = bare !== '' && (decoration.length < decorationMin || has(decoration))
  return has(typed) || has(repeated(typed)) || (isDecorated && has(repeated(bare)))
}

/** Whether little is left of a password without names that somebody who guesses knows. @param names of the product, accounts, hosts */
export async function isMadeOfNames(password: string, names: Iterable<string>): Promise<boolean> {
  const typed = folded(password)
  let rest = typed
  const known = Array.from(names, folded).filter(({ length }) => length >= nameCharactersMin)
  for (const name of known.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(name, '')
  if (rest === typed) return false
  const left = rest.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return [...left].length < besideNamesMin || isCommonPassword(left)
}

const fromLetterToLetter = /\p{L}.*\p{L}|\p{L}/su

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** What a text repeats: `abc` of `abcabc`; the text itself, if it repeats nothing. */
const repeated = (text: string): string => text.slice(0, `${text}${text}`.indexOf(text, 1))
