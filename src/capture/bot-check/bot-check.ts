import type { SigningKeys } from '../../account/signing-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { JsonValue } from '../../lib/json-value.ts'
import type { Log } from '../../lib/log.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import type { SiteRequest } from '../site-request.ts'
import { AccountSlots, defaultSlotLimits, type SlotLimits } from './account-slots.ts'
import { altchaVerified } from './altcha.ts'
import { type Outbound, type Verification, verifyWithProvider } from './provider-verify.ts'

/** Providers' tokens have up to some 4,000 characters. */
const tokenCharactersMax = 8192

/** The time limit for a provider's whole answer. */
const answerMsMax = 5000

export interface BotCheck {
  /**
   * Form check 8: whether the token verifies with the account's provider. Never rejects for a provider's fault.
   *
   * @throws LedgerUnavailable when it cannot be recorded that a self-hosted challenge has been used.
   */
  verified(asked: SiteRequest, token: JsonValue | undefined): Promise<boolean>
}

export interface BotCheckParts {
  challenges: ChallengeStore
  /** The signing keys of the moment. */
  keys: () => SigningKeys
  clock: Clock
  log: Log
  outbound: Outbound
  /** For tests. */
  answerMsMax?: number
  slots?: SlotLimits
}

/** Runs the bot check of every account. The token is passed to the provider, and never stored or logged. */
export function createBotCheck(parts: BotCheckParts): BotCheck {
  const hosted = hostedCheck(parts)
  return {
    async verified({ account, clientAddress }, token) {
      if (typeof token !== 'string' || token === '' || token.length > tokenCharactersMax) return false
      const { botCheck, storeIp } = account.settings
      const { provider, secret, verifyUrl, verifiesHere = false } = botCheck
      if (provider === 'altcha') {
        const { keys, clock, challenges } = parts
        return altchaVerified(token, { accountId: account.id, keys: keys(), now: clock.now(), challenges })
      }
      const remoteIp = storeIp === 'full' ? clientAddress : null
      const asked = { provider, verifyUrl, verifiesHere, secret, token, remoteIp }
      return hosted({ accountId: account.id, handle: account.handle, ...asked })
    },
  }
}

interface HostedQuestion extends Verification {
  accountId: string
  handle: string
}

function hostedCheck({ clock, log, outbound, slots: limits, answerMsMax: patienceMs = answerMsMax }: BotCheckParts) {
  const slots = new AccountSlots(limits ?? defaultSlotLimits)
  const notice = new OutageNotice(clock, log)
  return async (asked: HostedQuestion): Promise<boolean> => {
    // Start the timeout before a slot is free, so that the time in the queue counts.
    const signal = AbortSignal.timeout(patienceMs)
    const outcome = await slots.run(asked.accountId, () => verifyWithProvider(asked, signal, outbound))
    if (outcome === 'verified' || outcome === 'not_verified') return outcome === 'verified'
    notice.give(asked, outcome ?? 'overloaded')
    return false
  }
}

const onceEveryMs = 60_000
/** Limits the accounts whose last notice is remembered. The oldest is forgotten first and may repeat early. */
const rememberedMax = 1000

const texts = {
  no_answer: 'The bot-check provider does not answer as it should: forms that require it refuse everybody.',
  secret_refused: 'The bot-check provider refuses the secret: correct [bot_check] in site.toml and run capture apply.',
  forbidden: 'Nothing may be sent to [bot_check] verify_url: correct it in site.toml and run capture apply on the box.',
  overloaded: 'Too many bot checks are running: some were refused without asking the provider.',
} as const

type Outage = keyof typeof texts

/** Logs an outage of an account's bot check, at most once a minute. */
class OutageNotice {
  private readonly lastAtMs = new Map<string, number>()

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  give({ handle, provider }: { handle: string; provider: string }, outage: Outage): void {
    const nowMs = this.clock.monotonicMs()
    const about = `${handle} ${outage}`
    const lastAtMs = this.lastAtMs.get(about)
    if (lastAtMs !== undefined && nowMs - lastAtMs < onceEveryMs) return
    this.lastAtMs.delete(about)
    this.lastAtMs.set(about, nowMs)
    const [oldest] = this.lastAtMs.keys()
    if (this.lastAtMs.size > rememberedMax && oldest !== undefined) this.lastAtMs.delete(oldest)
    this.log.warn(texts[outage], { account: handle, provider })
  }
}
