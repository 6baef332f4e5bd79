import type { Clock } from '../../lib/clock.ts'
import { newSecret, sign, verifies } from '../../lib/sign.ts'

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
