import type { SigningKeys } from '../../account/signing-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { JsonValue } from '../../lib/json-value.ts'
import type { Log } from '../../lib/log.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import type { SiteRequest } from '../site-request.ts'
import { AccountSlots, defaultSlotLimits, type SlotLimits } from './account-slots.ts'
import { altchaVerified } from './altcha.ts'
import { OutageNotice } from './outage-notice.ts'
import { type HostedProvider, verifyWithProvider } from './provider-verify.ts'

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
      const { provider, secret, verifyUrl } = botCheck
      if (provider === 'altcha') {
        const { keys, clock, challenges } = parts
        return altchaVerified(token, { accountId: account.id, keys: keys(), now: clock.now(), challenges })
      }
      const remoteIp = storeIp === 'full' ? clientAddress : null
      return hosted({ accountId: account.id, handle: account.handle, provider, verifyUrl, secret, token, remoteIp })
    },
  }
}

interface HostedQuestion {
  accountId: string
  handle: string
  provider: HostedProvider
  verifyUrl: string | null
  secret: string
  token: string
  remoteIp: string | null
}

function hostedCheck({ clock, log, slots: limits, answerMsMax: patienceMs = answerMsMax }: BotCheckParts) {
  const slots = new AccountSlots(limits ?? defaultSlotLimits)
  const notice = new OutageNotice(clock, log)
  return async (asked: HostedQuestion): Promise<boolean> => {
    // Start the timeout before a slot is free, so that the time in the queue counts.
    const signal = AbortSignal.timeout(patienceMs)
    const outcome = await slots.run(asked.accountId, () => verifyWithProvider(asked, signal))
    if (outcome === 'verified' || outcome === 'not_verified') return outcome === 'verified'
    notice.give(asked, outcome ?? 'overloaded')
    return false
  }
}
