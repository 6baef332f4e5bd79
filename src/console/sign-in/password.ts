import { newKeyText } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../../operations/box.ts'
import { isCommonPassword, isMadeOfNames } from './common-passwords.ts'

/** Argon2id with 19 MiB and two passes, as OWASP's cheat sheet for password storage has it: some 50 ms of a core. */
const hashing = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
export const passwordCharactersMin = 12
export const passwordCharactersMax = 200
/** The most passwords that wait to be hashed. More are an attack, and each would wait too long. */
const waitingMax = 8
/** The places that strangers leave to browsers in which the user has signed in before. */
const knownWaitingMax = 16

/** Why a new password is not acceptable; `null`: it is. */
export function passwordFault(password: string, email: string): string | null {
  const { length } = [...password]
  if (length < passwordCharactersMin)
    return `Use at least ${passwordCharactersMin} characters: four random words are better than one word with digits.`
  if (length > passwordCharactersMax) return `Use at most ${passwordCharactersMax} characters.`
  if (new Set(password).size < 5) return 'Use more different characters.'
  const [name = ''] = email.split('@')
  if (name.length >= 4 && password.toLowerCase().includes(name.toLowerCase()))
    return 'Do not use your address in the password.'
  return null
}

/** Why a new password is not acceptable here (docs/console.md); `null`: it is. */
export async function newPasswordFault(
  password: string,
  email: string,
  box: Pick<Box, 'accounts' | 'config'>,
): Promise<string | null> {
  const fault = passwordFault(password, email)
  if (fault !== null) return fault
  if (await isCommonPassword(password))
    return 'Many people use this password, so it is tried first. Four random words are better.'
  if (await isMadeOfNames(password, await namesOf(box, email)))
    return 'Do not build the password from names of accounts, websites or Capture: they are tried first.'
  return null
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
  /** Verified for unknown users, so that the time of an answer does not reveal who exists. */
  private readonly decoy: Promise<string>

  constructor() {
    this.decoy = this.hash(newKeyText(40))
  }

  hash(password: string): Promise<string> {
    return this.inTurn(() => Bun.password.hash(password.normalize('NFC'), hashing))
  }

  /** @param hash `null`: there is no such user, or the user has no password. @throws TooManyPasswords */
  async verify(password: string, hash: string | null, { isKnown } = { isKnown: false }): Promise<boolean> {
    if (this.waiting >= (isKnown ? knownWaitingMax : waitingMax)) throw new TooManyPasswords()
    const against = hash ?? (await this.decoy)
    const matches = await this.inTurn(() => Bun.password.verify(password.normalize('NFC'), against))
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
