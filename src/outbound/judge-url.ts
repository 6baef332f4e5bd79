import { unlessAborted } from '../lib/unless-aborted.ts'
import { type AddressLookup, type Guard, judgeHost } from './guard.ts'

export type UrlJudgement = { outcome: 'allowed' } | { outcome: 'refused' | 'unknown'; reason: string }

/** How long a lookup may take while somebody waits for it. */
const lookupMsMax = 5000

/** Whether something may be sent to an address, as far as is known now. */
export async function judgeDeliveryUrl(text: string, guard: Guard, lookup: AddressLookup): Promise<UrlJudgement> {
  const url = new URL(text)
  const judged = await unlessAborted(judgeHost(url, guard, lookup), AbortSignal.timeout(lookupMsMax)).catch(() => null)
  if (judged === null) return { outcome: 'unknown', reason: `DNS has no address for ${url.hostname} at the moment` }
  return 'refusal' in judged ? { outcome: 'refused', reason: judged.refusal } : { outcome: 'allowed' }
}
