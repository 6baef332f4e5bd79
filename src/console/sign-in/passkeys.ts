import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Clock } from '../../lib/clock.ts'
import type { Credentials, Passkey, User } from '../user/user.ts'
import type { UserStore } from '../user/user-store.ts'

/** The place of a ceremony: a passkey is bound to the host. */
export interface CeremonyPlace {
  /** Host name without port. */
  host: string
  /** Scheme, host and port as the browser knows them. */
  origin: string
}

export const passkeysMax = 20
const passkeyNameCharactersMax = 60
const challengeMsMax = 5 * 60_000
const challengesMax = 1000
/** Ed25519, ES256 and RS256: every authenticator has one of them, and their keys are small. */
const algorithms = [-8, -7, -257]

/**
 * Sign-in by passkey (WebAuthn level 3). Challenges are kept in memory; each is valid once, for five minutes.
 */
export class Passkeys {
  private readonly challenges = new Map<string, { userId: string | null; expiresAt: number }>()

  constructor(
    private readonly users: UserStore,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** What the browser needs to make a passkey for the user. */
  async registration(user: User, { host }: CeremonyPlace): Promise<object> {
    const { passkeys } = (await this.users.credentials(user.id)) ?? noCredentials
    const options = await generateRegistrationOptions({
      rpName: 'Capture',
      rpID: host,
      userName: user.email,
      userID: new TextEncoder().encode(user.id),
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: passkeys.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    this.keep(options.challenge, user.id)
    return options
  }

  /** Stores a passkey that the browser made. @returns `false`: it does not match a challenge */
  async register(
    user: User,
    answer: RegistrationResponseJSON,
    place: CeremonyPlace & { name: string },
  ): Promise<boolean> {
    const found = await verifyRegistrationResponse({
      response: answer,
      expectedChallenge: (challenge) => this.spend(challenge, user.id),
      expectedOrigin: place.origin,
      expectedRPID: place.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }).catch(() => null)
    const { passkeys } = (await this.users.credentials(user.id)) ?? noCredentials
    if (!found?.verified || passkeys.length >= passkeysMax) return false
    const { credential } = found.registrationInfo
    const name = place.name.trim().slice(0, passkeyNameCharactersMax) || 'Passkey'
    const passkey = { id: credential.id, publicKey: credential.publicKey, counter: credential.counter, name }
    await this.users.keepCredentials(user.id, {
      passkeys: [...passkeys, { ...passkey, createdAt: this.clock.now(), lastUsedAt: null }],
    })
    return true
  }

  /** What the browser needs to sign in with any of its passkeys for this host. */
  async authentication({ host }: CeremonyPlace): Promise<object> {
    const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' })
    this.keep(options.challenge, null)
    return options
  }

  /** The user whose passkey signed; `null`: no user's. */
  async authenticate(answer: AuthenticationResponseJSON, place: CeremonyPlace): Promise<User | null> {
    const user = await this.users.findByPasskey(answer.id)
    const { passkeys } = (user && (await this.users.credentials(user.id))) ?? noCredentials
    const passkey = passkeys.find(({ id }) => id === answer.id)
    if (user === null || passkey === undefined) return null
    const found = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: (challenge) => this.spend(challenge, null),
      expectedOrigin: place.origin,
      expectedRPID: place.host,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    }).catch(() => null)
    if (!found?.verified) return null
    const used: Passkey = { ...passkey, counter: found.authenticationInfo.newCounter, lastUsedAt: this.clock.now() }
    await this.users.keepCredentials(user.id, { passkeys: passkeys.map((key) => (key.id === used.id ? used : key)) })
    return user
  }

  private keep(challenge: string, userId: string | null): void {
    const now = this.clock.now()
    for (const [old, { expiresAt }] of this.challenges) {
      if (expiresAt > now && this.challenges.size < challengesMax) break
      this.challenges.delete(old)
    }
    this.challenges.set(challenge, { userId, expiresAt: now + challengeMsMax })
  }

  private spend(challenge: string, userId: string | null): boolean {
    const kept = this.challenges.get(challenge)
    this.challenges.delete(challenge)
    return kept !== undefined && kept.userId === userId && kept.expiresAt > this.clock.now()
  }
}

const noCredentials: Pick<Credentials, 'passkeys'> = { passkeys: [] }
