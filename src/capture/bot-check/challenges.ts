import type { Challenge } from 'altcha-lib'
import type { LiveAccount } from '../../account/live-account.ts'
import type { SigningKeys } from '../../account/signing-key.ts'
import { rateLimitAddress } from '../../lib/ip.ts'
import type { Budget } from '../budget-store.ts'
import type { Limits } from '../budgets.ts'
import type { SiteRequest } from '../site-request.ts'
import { AccountSlots } from './account-slots.ts'
import { altchaChallenge, difficulties } from './altcha.ts'

/** Limits on challenges made at a time and waiting: each takes a few milliseconds of hashing. */
const slotLimits = { runningPerAccountMax: 4, waitingPerAccountMax: 64, runningMax: 8 }

/** A submission needs one challenge, and another when the first was used up by a refusal. */
const challengesPerSubmission = 2

/** Account + IP. Apart from the form's own budgets, so that a challenge never costs a submission. */
export function challengeBudgets(
  { account, clientAddress }: SiteRequest,
  { formPerIp, windowSeconds }: Limits,
): Budget[] {
  const key = `challenge ${account.id} ${rateLimitAddress(clientAddress)}`
  return [{ key, tokensMax: challengesPerSubmission * formPerIp, windowSeconds }]
}

/** Makes challenges, a bounded number at a time; `null`: too many are being made. */
export function challengeMaker() {
  const slots = new AccountSlots(slotLimits)
  return ({ id, settings }: LiveAccount, keys: SigningKeys, now: number): Promise<Challenge | null> =>
    slots.run(id, () => altchaChallenge({ accountId: id, keys, now }, difficulties[settings.botCheck.difficulty]))
}
