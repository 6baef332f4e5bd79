import type { Attribution } from '../../ledger/entry.ts'
import type { ProcessedAccount } from '../ledger-item.ts'
import data from './known/click-platforms.json'
import { foreignReferrer, knownReferrer, type Referrer } from './referrer.ts'
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

/**
 * What an address says about its campaign. All fields are `null` where it only has some other parameter, such as
 * `utm_id`.
 */
interface Campaign {
  /** Lower-case. */
  source: string | null
  /** Lower-case. */
  medium: string | null
  name: string | null
  term: string | null
  content: string | null
}

/** Characters kept of a campaign parameter. */
export const campaignCharsMax = 200

/** The `utm_` parameters of an address; `null` if none of them has a value. */
function statedCampaign(attribution: Attribution): Campaign | null {
  const source = stated(attribution.utm_source?.toLowerCase())
  const medium = stated(attribution.utm_medium?.toLowerCase())
  const name = stated(attribution.utm_campaign)
  const term = stated(attribution.utm_term)
  const content = stated(attribution.utm_content)
  const isStated = (source ?? medium ?? name ?? term ?? content) !== null || hasOther(attribution)
  return isStated ? { source, medium, name, term, content } : null
}

/** Whether there is any other `utm_` parameter: such a visit is not direct, since somebody tagged its address. */
function hasOther(attribution: Attribution): boolean {
  for (const name in attribution) if (name.startsWith('utm_') && stated(attribution[name]) !== null) return true
  return false
}

/** Cutting in the middle of a surrogate pair would leave invalid text. */
const stated = (value: string | undefined): string | null =>
  value?.trim().slice(0, campaignCharsMax).trim().toWellFormed() || null

/** Platforms' ids have a few hundred characters at most. A truncated id is useless, so longer ones are left out. */
export const clickIdCharsMax = 512

/** In the order of the list: the first match wins if an address has several. */
const platforms: ReadonlyMap<string, Origin> = new Map(
  data.platforms.flatMap(({ name, medium, ids }) => ids.map((id) => [id, { source: name, medium }] as const)),
)

/** The ad platform whose click id the address has; `null`: none. */
function clickPlatform(attribution: Attribution): Origin | null {
  if (isEmpty(attribution)) return null
  for (const [id, origin] of platforms) if (Object.hasOwn(attribution, id)) return origin
  return null
}

/** The click ids among an address's parameters. */
function clickIdsOf(attribution: Attribution): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name in attribution) {
    const value = attribution[name]
    if (value !== undefined && platforms.has(name) && value.length <= clickIdCharsMax) found[name] = value
  }
  return found
}

/** Most addresses have no attribution at all. */
function isEmpty(attribution: Attribution): boolean {
  for (const _ in attribution) return false
  return true
}
