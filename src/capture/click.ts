import type { SigningKeys } from '../account/signing-key.ts'
import type { Click } from '../ledger/entry.ts'
import { type Ledger, LedgerUnavailable } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { clickEvidence } from '../verdict/click-verdict.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { BudgetStore } from './budget-store.ts'
import { clickBudgets, type Limits } from './budgets.ts'
import { allowedClickDestination } from './click-destination.ts'
import { type ClickLink, type VerifiedLinks, verifyClickToken } from './click-token.ts'
import { isIgnored } from './ignored.ts'
import type { SiteRequest } from './site-request.ts'
import { requestSource } from './source.ts'
import type { UrlCleaner } from './url/url-cleaner.ts'

interface ClickCapture {
  ledger: Ledger
  budgets: BudgetStore
  limits: Limits
  verdicts: Verdicts
  verifiedLinks: VerifiedLinks
  urls: UrlCleaner
  previewHost: string
  clock: Clock
}

/** The outcome of a tracked link. */
type ClickOutcome =
  /** A click over the caller's budget is not recorded. */
  | { outcome: 'redirect'; destination: string; deviceId: string; overBudget: boolean }
  | { outcome: 'unknown' }
  | { outcome: 'destination_refused' }

/** The click could not be stored; the person may still go on by themselves. */
export class ClickNotStored extends Error {
  override readonly name = 'ClickNotStored'

  constructor(readonly destination: string) {
    super('the click could not be stored')
  }
}

/**
 * `GET /_svc/c/<token>` (spec, Click redirect): verified, guarded, recorded within the budget, then redirected.
 *
 * @throws ClickNotStored
 */
export async function captureClick(
  asked: SiteRequest,
  { token, keys }: { token: string; keys: SigningKeys },
  capture: ClickCapture,
): Promise<ClickOutcome> {
  const { ledger, budgets, limits, verifiedLinks, previewHost, clock } = capture
  const now = clock.now()
  const link = verifyClickToken(token, { accountId: asked.account.id, keys, now }, verifiedLinks)
  if (link === null) return { outcome: 'unknown' }
  // What was judged is what the parser makes of it: that is sent, never the text of the token.
  const destination = allowedClickDestination(link.destination, asked.host, previewHost)
  if (destination === null) return { outcome: 'destination_refused' }
  const deviceId = asked.deviceId ?? newId()
  const overBudget = (await budgets.take(clickBudgets(asked, limits))) > 0
  const redirect = { outcome: 'redirect', destination, deviceId, overBudget } as const
  if (overBudget || isIgnored(asked)) return redirect
  try {
    await ledger.append([clickOf(asked, { link, deviceId, now }, capture)])
  } catch (error) {
    if (error instanceof LedgerUnavailable) throw new ClickNotStored(destination)
    throw error
  }
  return redirect
}

interface Followed {
  link: ClickLink
  deviceId: string
  now: number
}

function clickOf(asked: SiteRequest, { link, deviceId, now }: Followed, { urls, verdicts }: ClickCapture): Click {
  const evidence = clickEvidence(asked.request)
  const cleaned = urls.cleanRecurring(link.destination)
  return {
    kind: 'click',
    id: newId(),
    accountId: asked.account.id,
    receivedAt: now,
    test: false,
    source: requestSource(asked, urls),
    deviceId,
    message: link.message,
    recipient: link.recipient,
    sentAt: link.sentAt,
    url: cleaned?.url ?? '',
    attribution: cleaned?.attribution ?? {},
    ...verdicts.click(evidence, { secondsAfterSending: (now - link.sentAt) / 1000 }),
    evidence,
  }
}
