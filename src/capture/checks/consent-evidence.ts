import type { TrackedEvent } from '../../ledger/entry.ts'
import { Refusal } from '../refusal.ts'
import type { SiteRequest } from '../site-request.ts'

/** Event check 6: a valid identity cookie or the header's claim, where the account asks for either (spec, Authentication). */
export function consentEvidence({ request, account, deviceId }: SiteRequest): TrackedEvent['consent'] {
  if (!account.settings.tracking.requireOptIn) return 'not_required'
  if (deviceId !== null) return 'cookie'
  if (request.headers.get('x-svc-consent') === 'granted') return 'header'
  throw new Refusal('consent')
}
