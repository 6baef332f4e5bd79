import { matchesTrackingKey } from '../account/tracking-key.ts'
import type { TrackedEvent } from '../ledger/entry.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { JsonObject } from '../lib/json-value.ts'
import type { BudgetStore } from './budget-store.ts'
import { eventBudgets, type Limits, withinBudgets } from './budgets.ts'
import { allowedOrigin } from './checks/allowed-origin.ts'
import { bodyWithin } from './checks/body-within.ts'
import { consentEvidence } from './checks/consent-evidence.ts'
import { jsonContentType } from './checks/json-content-type.ts'
import { type SentEvent, wellFormedEvents } from './checks/well-formed-events.ts'
import { isIgnored } from './ignored.ts'
import { type Choosing, versionLeft } from './page-version.ts'
import { Refusal } from './refusal.ts'
import type { SiteRequest } from './site-request.ts'
import { requestSource, sentByTestPage } from './source.ts'
import type { StorageRoom } from './storage-room.ts'
import type { UrlCleaner } from './url/url-cleaner.ts'

interface EventCapture extends Choosing {
  ledger: Ledger
  budgets: BudgetStore
  limits: Limits
  room: StorageRoom
  urls: UrlCleaner
  previewHost: string
}

/** What an accepted batch is answered with. */
interface AcceptedBatch {
  accepted: number
  /** The device that every event was attributed to. */
  deviceId: string
}

/**
 * `POST /_svc/e`: the numbered lines are the rows of the spec's order of checks.
 *
 * @throws Refusal for the first check that fails; LedgerUnavailable when it cannot be stored.
 */
export async function captureEvents(asked: SiteRequest, capture: EventCapture): Promise<AcceptedBatch> {
  const { request, account } = asked
  /* 1 */ const origin = allowedOrigin(asked)
  /* 2 */ trackingAllowed(asked, capture.clock)
  /* 3 */ jsonContentType(request)
  /* 4 */ const body = await bodyWithin(request, account.settings.payloadBytesMax)
  /* 5 */ await withinBudgets(capture.budgets, eventBudgets(asked, origin, capture.limits))
  /* 6 */ const consent = consentEvidence(asked)
  /* 7 */ const sent = wellFormedEvents(body)
  if (!capture.room.storesEvents) throw new Refusal('storage', { retryAfterSeconds: capture.room.retryAfterSeconds })

  const deviceId = asked.deviceId ?? newId()
  const shared = {
    kind: 'event',
    accountId: account.id,
    receivedAt: capture.clock.now(),
    deviceId,
    consent,
    test: sentByTestPage(origin, capture.previewHost),
    source: requestSource(asked, capture.urls, versionLeft(asked, capture)),
  } as const
  if (!isIgnored(asked)) await capture.ledger.append(sent.map((event) => trackedEvent(event, shared, capture.urls)))
  return { accepted: sent.length, deviceId }
}

/** Event check 2: tracking is on, and the key is one of the account's. */
function trackingAllowed({ request, account }: SiteRequest, clock: Clock): void {
  const key = request.headers.get('x-svc-site-key')
  if (key === null || !account.settings.tracking.enabled) throw new Refusal('tracking_key')
  if (!matchesTrackingKey(key, account.trackingKeys, clock.now())) throw new Refusal('tracking_key')
}

type SharedByBatch = Omit<TrackedEvent, 'id' | 'event' | 'properties' | 'traits' | 'attribution'>

/** Field by field: copying `shared` with a spread would cost more than everything else in here but the URL. */
function trackedEvent({ event, properties, traits }: SentEvent, shared: SharedByBatch, urls: UrlCleaner): TrackedEvent {
  const { kind, accountId, receivedAt, deviceId, consent, test, source } = shared
  const stored = withCleanedUrl(properties, urls)
  return {
    kind,
    id: newId(),
    accountId,
    receivedAt,
    test,
    source,
    event,
    deviceId,
    properties: stored.properties,
    traits,
    attribution: stored.attribution,
    consent,
  }
}

/** Cleans a `url`, which gives path, host and attribution. Drops a value that is not an address (docs/events.md). */
function withCleanedUrl(properties: JsonObject, urls: UrlCleaner): Pick<TrackedEvent, 'properties' | 'attribution'> {
  if (!Object.hasOwn(properties, 'url')) return { properties, attribution: {} }
  const stated = properties.url
  const cleaned = typeof stated === 'string' ? urls.clean(stated) : null
  if (cleaned !== null) {
    const { url, path, host, attribution } = cleaned
    return { properties: { ...properties, url, path, host }, attribution }
  }
  const { url: _, ...others } = properties
  return { properties: others, attribution: {} }
}
