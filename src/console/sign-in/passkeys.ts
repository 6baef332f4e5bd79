import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Clock } from '../../lib/clock.ts'
import { newSecret, sign, verifies } from '../../lib/sign.ts'
import type { Credentials, Passkey, User, UserStore } from '../user/user.ts'

/** Loaded with the first ceremony: the certificates of authenticators, of which it knows all, take as long to load as half the console. */
const webAuthn = () => import('@simplewebauthn/server')

/** The place of a ceremony: a passkey is bound to the host. */
export interface CeremonyPlace {
  host: string
  origin: string
}

const passkeysMax = 20
const passkeyNameCharactersMax = 60
/** Ed25519, ES256 and RS256: every authenticator has one of them, and their keys are small. */
const algorithms = [-8, -7, -257]

/** Whom a new passkey is for: a user, or somebody who accepts an invitation. */
interface PasskeyHolder {
  /** A user's id, or an invitation's hash. */
  id: string
  email: string
}

/** Passkeys are bound to a name: browsers make none at an address. */
export const mayHavePasskeys = ({ host }: CeremonyPlace): boolean => !/^[\d.]+$|:/.test(host)

/**
 * Sign-in by passkey (WebAuthn level 3). Each challenge is valid once, for five minutes.
 */
export class Passkeys {
  private readonly challenges: Challenges

  constructor(
    private readonly users: UserStore,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.challenges = new Challenges(clock)
  }

  /** What the browser needs to make a passkey. */
  async registration(holder: PasskeyHolder, { host }: CeremonyPlace): Promise<object> {
    const { passkeys } = (await this.users.credentials(holder.id)) ?? noCredentials
    const { generateRegistrationOptions } = await webAuthn()
    return generateRegistrationOptions({
      challenge: asBytes(this.challenges.make(newPasskeyOf(holder))),
      rpName: 'Capture',
      rpID: host,
      userName: holder.email,
      userID: new TextEncoder().encode(holder.id),
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: passkeys.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /** Stores a passkey that the browser made. @returns `false`: it does not match a challenge */
  async register(user: User, answer: unknown, place: CeremonyPlace & { name: string }): Promise<boolean> {
    const passkey = await this.made(user, answer, place)
    const { passkeys } = (await this.users.credentials(user.id)) ?? noCredentials
    if (passkey === null || passkeys.length >= passkeysMax) return false
    await this.users.keepCredentials(user.id, { passkeys: [...passkeys, passkey] })
    return true
  }

  /** The passkey that the browser made; `null`: it does not match a challenge. @param answer whatever somebody sent */
  async made(holder: PasskeyHolder, answer: unknown, place: CeremonyPlace & { name: string }): Promise<Passkey | null> {
    const { verifyRegistrationResponse } = await webAuthn()
    const found = await this.answered(newPasskeyOf(holder), (expectedChallenge) =>
      verifyRegistrationResponse({
        response: answer as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: place.origin,
        expectedRPID: place.host,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }),
    )
    if (!found?.verified) return null
    const { id, publicKey, counter } = found.registrationInfo.credential
    const name = place.name.trim().slice(0, passkeyNameCharactersMax) || 'Passkey'
    return { id, publicKey, counter, name, createdAt: this.clock.now(), lastUsedAt: null }
  }

  /** What the browser needs to sign in with any of its passkeys for this host. */
  async authentication({ host }: CeremonyPlace): Promise<object> {
    const { generateAuthenticationOptions } = await webAuthn()
    const challenge = asBytes(this.challenges.make(anyPasskey))
    return generateAuthenticationOptions({ challenge, rpID: host, userVerification: 'required' })
  }

  /** The user whose passkey signed; `null`: no user's. @param answer whatever somebody sent */
  async authenticate(answer: unknown, place: CeremonyPlace): Promise<User | null> {
    if (!namesPasskey(answer)) return null
    const user = await this.users.findByPasskey(answer.id)
    const { passkeys } = (user && (await this.users.credentials(user.id))) ?? noCredentials
    const passkey = passkeys.find(({ id }) => id === answer.id)
    if (user === null || passkey === undefined) return null
    const { verifyAuthenticationResponse } = await webAuthn()
    const found = await this.answered(anyPasskey, (expectedChallenge) =>
      verifyAuthenticationResponse({
        response: answer,
        expectedChallenge,
        expectedOrigin: place.origin,
        expectedRPID: place.host,
        requireUserVerification: true,
        credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
      }),
    )
    if (found === null) return null
    const used: Passkey = { ...passkey, counter: found.authenticationInfo.newCounter, lastUsedAt: this.clock.now() }
    await this.users.keepCredentials(user.id, { passkeys: passkeys.map((key) => (key.id === used.id ? used : key)) })
    return user
  }

  /**
   * A right answer to a challenge of the purpose; `null`: there is none. Only a right answer spends its challenge: nobody fills the
   * memory of spent ones without a passkey.
   */
  private async answered<A extends { verified: boolean }>(
    purpose: string,
    verify: (isExpected: (challenge: string) => boolean) => Promise<A>,
  ): Promise<A | null> {
    let asked = ''
    const isExpected = (encoded: string) => {
      asked = asText(encoded)
      return this.challenges.isOpen(asked, purpose)
    }
    const found = await verify(isExpected).catch(() => null)
    return found?.verified && this.challenges.spend(asked) ? found : null
  }
}

const noCredentials: Pick<Credentials, 'passkeys'> = { passkeys: [] }

const namesPasskey = (sent: unknown): sent is AuthenticationResponseJSON =>
  typeof sent === 'object' && sent !== null && 'id' in sent && typeof sent.id === 'string'

/** Any user's passkey signs in, or confirms who the user is. */
const anyPasskey = 'passkey.sign'
const newPasskeyOf = ({ id }: PasskeyHolder): string => `passkey.new.${id}`

const asBytes = (challenge: string) => new TextEncoder().encode(challenge)
/** A challenge as the browser sends it back: base64url of its bytes. */
const asText = (encoded: string): string => Buffer.from(encoded, 'base64url').toString('latin1')

const lifeMs = 5 * 60_000
/** Ceremonies that succeeded within a challenge's life. More are refused. */
const spentMax = 10_000
/** 22 of base64url's characters are 128 bits (WebAuthn level 3, section 13.4.3). */
const pattern = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/

/**
 * Challenges of WebAuthn that need no memory until they are used: each is signed with its purpose and its end, so that nobody can
 * push another's out. The key lasts as long as the process, since a challenge is good for five minutes.
 */
export class Challenges {
  private readonly secret = newSecret()
  private readonly spent = new Map<string, number>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** @param purpose what the challenge is for; it passes for nothing else */
  make(purpose: string): string {
    const nonce = newSecret(16).toBase64({ alphabet: 'base64url', omitPadding: true })
    const endsAt = (this.clock.now() + lifeMs).toString(36)
    return `${nonce}.${endsAt}.${sign(this.secret, `${purpose}.${nonce}.${endsAt}`)}`
  }

  /** Whether the challenge was made here for the purpose, and is neither too old nor spent. */
  isOpen(challenge: string, purpose: string): boolean {
    const [, nonce = '', endsAt = '', mac = ''] = pattern.exec(challenge) ?? []
    if (!verifies(this.secret, `${purpose}.${nonce}.${endsAt}`, mac)) return false
    return Number.parseInt(endsAt, 36) > this.clock.now() && !this.spent.has(challenge)
  }

  /** Takes note that an open challenge was answered rightly. @returns `false`: it was spent meanwhile */
  spend(challenge: string): boolean {
    const now = this.clock.now()
    for (const [old, endsAt] of this.spent) {
      if (endsAt > now) break
      this.spent.delete(old)
    }
    if (this.spent.has(challenge) || this.spent.size >= spentMax) return false
    this.spent.set(challenge, now + lifeMs)
    return true
  }
}
