import { newShortId } from '../lib/id.ts'
import { newSecret } from '../lib/sign.ts'

/** Purposes whose keys an operator can replace (docs/links-in-email.md). */
export const rotatedPurposes = ['click', 'cookie', 'preview', 'share'] as const
/**
 * `name` signs the proof that a name leads here; each service makes its own, so that no copy of the box can. `reply` represents
 * visitors' addresses in the links of mails to them and is never replaced: another key could not recognise who has unsubscribed. `browser` signs the cookie of
 * browsers in which users of the console have signed in before. `domain` makes the TXT records that prove domains, and is never
 * replaced: its records would have to be set again.
 */
export const signingPurposes = [...rotatedPurposes, 'browser', 'name', 'reply', 'domain'] as const
export type RotatedPurpose = (typeof rotatedPurposes)[number]
export type SigningPurpose = (typeof signingPurposes)[number]

/** A key that this box signs with. Its secret is never printed and never logged. */
export interface SigningKey {
  /** Four to eight of [a-z0-9]: names the key in what it signed. */
  id: string
  purpose: SigningPurpose
  /** 32 bytes. */
  secret: Uint8Array
  /** Epoch milliseconds. */
  createdAt: number
  /** When it stops verifying, epoch milliseconds; `null`: the current key of its purpose. */
  verifiesUntil: number | null
}

/** The pattern of a key's id, for patterns of signed texts. */
export const signingKeyIdPattern = '[a-z0-9]{4,8}'

export const mintSigningKey = (purpose: SigningPurpose, now: number): SigningKey => ({
  id: newShortId(),
  purpose,
  secret: newSecret(),
  createdAt: now,
  verifiesUntil: null,
})

/** As long as a browser keeps an identity cookie. */
const retiredKeyVerifiesMs = 400 * 24 * 60 * 60 * 1000

/** What these keys signed can be made again, so a new key also revokes all of it. */
const endsAtOnce: ReadonlySet<SigningPurpose> = new Set(['preview', 'share', 'name'])

/** How long a replaced key still verifies. */
export const retiredKeyVerifiesUntil = (purpose: SigningPurpose, now: number): number =>
  endsAtOnce.has(purpose) ? now : now + retiredKeyVerifiesMs

/**
 * The box's signing keys.
 *
 * Guarantees: `read` shows exactly one current key of every purpose, minted when there was none; of two rotations at
 * once, each makes a key, and one of them is current afterwards.
 */
export interface SigningKeyStore {
  /** The current keys, and replaced keys that still verify. */
  read(): Promise<SigningKeys>
  /** Makes a new current key. The previous key verifies as `retiredKeyVerifiesUntil` says. @returns the new key */
  rotate(purpose: SigningPurpose): Promise<SigningKey>
}

/** A key of the box that an account was moved from: it verifies what was signed there for this account, and nothing else. */
interface MovedSigningKey extends SigningKey {
  accountId: string
}

/** The account and the instant of a verification. */
interface VerifiedFor {
  /** `null`: no account, so that only the box's own keys count. */
  accountId: string | null
  /** Epoch milliseconds. */
  now: number
}

/** Signing keys as requests meet them: read once, never changed. */
export class SigningKeys {
  private readonly byId: ReadonlyMap<string, SigningKey>
  private readonly moved: ReadonlyMap<string, readonly SigningKey[]>
  private readonly currents: ReadonlyMap<SigningPurpose, SigningKey>

  constructor(keys: readonly SigningKey[], moved: readonly MovedSigningKey[] = []) {
    const inOrder = keys.toSorted((a, b) => a.createdAt - b.createdAt)
    this.byId = new Map(inOrder.map((key) => [key.id, key]))
    this.moved = Map.groupBy(moved, ({ accountId }) => accountId)
    this.currents = new Map(inOrder.filter((key) => key.verifiesUntil === null).map((key) => [key.purpose, key]))
  }

  /** The key that signs. */
  current(purpose: SigningPurpose): SigningKey {
    const key = this.currents.get(purpose)
    if (key === undefined) throw new Error(`There is no current ${purpose} key`)
    return key
  }

  /** The purpose's key of this id, if what it signed for the account is good at the instant. */
  verifying(purpose: SigningPurpose, id: string, { accountId, now }: VerifiedFor): SigningKey | null {
    const key = this.byId.get(id) ?? this.movedWith(accountId).find((moved) => moved.id === id)
    return key?.purpose === purpose && isVerifying(key, now) ? key : null
  }

  /** Every key of the purpose that verifies for the account at the instant: the box's own, oldest first, then those it brought. */
  allVerifying(purpose: SigningPurpose, { accountId, now }: VerifiedFor): SigningKey[] {
    const keys = [...this.byId.values(), ...this.movedWith(accountId)]
    return keys.filter((key) => key.purpose === purpose && isVerifying(key, now))
  }

  private movedWith(accountId: string | null): readonly SigningKey[] {
    return accountId === null ? [] : (this.moved.get(accountId) ?? [])
  }
}

const isVerifying = ({ verifiesUntil }: SigningKey, now: number): boolean =>
  verifiesUntil === null || now < verifiesUntil
