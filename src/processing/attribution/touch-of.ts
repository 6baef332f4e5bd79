import type { ProcessedAccount } from '../processed-account.ts'
import { type Campaign, statedCampaign } from './campaign.ts'
import { clickIdsOf, clickPlatform } from './click-platform.ts'
import { foreignReferrer, type Referrer } from './foreign-referrer.ts'
import { knownReferrer } from './known-referrer.ts'
import { direct, type Hit, type Origin, type Touch } from './touch.ts'

/** Characters kept of an address. */
const urlCharsMax = 2048

/**
 * Where the visit of a record came from; `null` if the record does not say. In order of precedence: campaign
 * parameters, ad platforms' click ids, the referrer, direct (docs/identity.md, "First and last touch").
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

/** Whether this record counts as a direct visit when it has no source. */
export const isView = (hit: Hit): boolean =>
  hit.kind === 'page_view' || (hit.kind === 'event' && hit.event === '$pageview')

/** A view that is known to be direct, whatever the account's own hosts are today. */
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

/** What the address or the kind of record says. A tracked link was clicked in a mail, wherever it leads. */
function statedOrigin(hit: Hit, campaign: Campaign | null): Origin | null {
  const isClick = hit.kind === 'click'
  if (campaign?.source) return { source: campaign.source, medium: isClick ? 'email' : 'campaign' }
  return isClick ? { source: 'email', medium: 'email' } : clickPlatform(hit.attribution)
}

const referringOrigin = (referrer: Referrer | null): Origin | null =>
  referrer === null ? null : knownReferrer(referrer.host)

/** A campaign without a source, or a view without a referrer. */
function untold(hit: Hit, campaign: Campaign | null): Origin | null {
  if (campaign !== null) return { source: 'unknown', medium: 'campaign' }
  return isView(hit) ? direct : null
}

const visitedUrl = (hit: Hit): string | null => addressOf(hit)?.slice(0, urlCharsMax) ?? null

function addressOf(hit: Hit): string | null {
  if (hit.kind !== 'event') return hit.url === '' ? null : hit.url
  return typeof hit.properties.url === 'string' ? hit.properties.url : null
}
