import type { ProcessedAccount } from '../processed-account.ts'
import { type Campaign, statedCampaign } from './campaign.ts'
import { clickIdsOf, clickPlatform } from './click-platform.ts'
import { foreignReferrer, type Referrer } from './foreign-referrer.ts'
import { knownReferrer } from './known-referrer.ts'
import { direct, type Hit, type Origin, type Touch } from './touch.ts'

/** Characters kept of an address. */
const urlCharsMax = 2048

/**
 * Where the visit that the record belongs to came from; `null`: the record does not say. Campaign parameters go before
 * ad platforms' click ids, these before the referrer, and that before direct (docs/identity.md, "First and last touch").
 */
export function touchOf(hit: Hit, account: ProcessedAccount): Touch | null {
  if (hit.kind === 'click' && hit.verdict === 'machine') return null
  const campaign = statedCampaign(hit.attribution)
  const referrer = foreignReferrer(hit, account)
  const origin = statedOrigin(hit, campaign) ?? referringOrigin(referrer) ?? untold(hit, campaign)
  if (origin === null) return null
  return {
    at: new Date(hit.receivedAt).toISOString(),
    via: hit.kind,
    source: campaign?.source ?? origin.source,
    medium: campaign?.medium ?? origin.medium,
    campaign: campaign?.name ?? (hit.kind === 'click' ? hit.message : null),
    term: campaign?.term ?? null,
    content: campaign?.content ?? null,
    clickIds: clickIdsOf(hit.attribution),
    referrer: referrer === null ? null : referrer.url.slice(0, urlCharsMax),
    url: visitedUrl(hit),
  }
}

/** Whether the record is a visit even when nothing tells where it came from: any other says nothing then. */
export const isView = (hit: Hit): boolean =>
  hit.kind === 'page_view' || (hit.kind === 'event' && hit.event === '$pageview')

/** A view of which it is known that nothing led to it, whatever the account's own hosts have become since. */
export const directTouch = (view: Hit): Touch => ({
  at: new Date(view.receivedAt).toISOString(),
  via: view.kind,
  ...direct,
  campaign: null,
  term: null,
  content: null,
  clickIds: {},
  referrer: null,
  url: visitedUrl(view),
})

/** What the address or the kind of record says; a tracked link stands in a mail, whatever led to its destination. */
function statedOrigin(hit: Hit, campaign: Campaign | null): Origin | null {
  const isClick = hit.kind === 'click'
  if (campaign?.source) return { source: campaign.source, medium: isClick ? 'email' : 'campaign' }
  return isClick ? { source: 'email', medium: 'email' } : clickPlatform(hit.attribution)
}

const referringOrigin = (referrer: Referrer | null): Origin | null =>
  referrer === null ? null : knownReferrer(referrer.host)

/** A campaign without a source, and a view that nothing led to. */
function untold(hit: Hit, campaign: Campaign | null): Origin | null {
  if (campaign !== null) return { source: 'unknown', medium: 'campaign' }
  return isView(hit) ? direct : null
}

const visitedUrl = (hit: Hit): string | null => addressOf(hit)?.slice(0, urlCharsMax) ?? null

function addressOf(hit: Hit): string | null {
  if (hit.kind !== 'event') return hit.url === '' ? null : hit.url
  return typeof hit.properties.url === 'string' ? hit.properties.url : null
}
