import type { StoredAccount } from '../account/account.ts'
import { receivesForm } from '../account/destination.ts'
import { type Asset, hasTimes, isLiveAt, subjectOf } from '../asset/asset.ts'
import { treatedAs } from '../asset/asset-kind.ts'
import { liveAmong, wayOf, waysOf } from '../asset/ways.ts'
import { localDay } from '../lib/local-day.ts'
import { count, plural, timestamp } from '../lib/quantities.ts'
import { severalAtOnce } from '../lib/several-at-once.ts'
import type { SiteFolder } from './folder.ts'
import { type Harm, type HarmKind, harmKinds } from './harm.ts'
import type { HarmCounts } from './harm-counts.ts'
import { redirectOffers } from './offered-redirect.ts'
import type { SitePlan } from './plan.ts'
import type { HashedAsset } from './plan-assets.ts'
import { type PlannedAsset, plannedAssets } from './planned-assets.ts'
import { walkRedirects } from './redirect-walk.ts'
import { siteToml } from './site-faults.ts'

/** What is published, and what a plan makes of it. */
export interface PlannedChange {
  before: { account: StoredAccount; assets: readonly Asset[] }
  folder: Pick<SiteFolder, 'settings' | 'forms'>
  hashed: readonly HashedAsset[]
  plan: Pick<SitePlan, 'publication' | 'replaced' | 'changes'>
  /** Epoch milliseconds. */
  now: number
}

interface HarmPorts {
  counts: HarmCounts
  /** Ids of the forms that a page names. */
  formsNamedBy(page: PlannedAsset): Promise<ReadonlySet<string>>
}

interface Facts extends PlannedChange, HarmPorts {
  after: readonly PlannedAsset[]
  /** The first of the days that counts look at. */
  fromDay: number
}

/** What the plan takes away from visitors, or loses, in the order of its kinds. Pure but for its ports. */
export async function findHarm(change: PlannedChange, ports: HarmPorts): Promise<Harm[]> {
  const { timezone } = change.before.account.settings
  const facts = {
    ...change,
    ...ports,
    after: plannedAssets(change.before.assets, change.hashed, change.plan.publication.removed),
    fromDay: localDay(change.now, timezone) - (countedDays - 1),
  }
  const found: Harm[] = []
  for (const kind of harmKinds) {
    for (const harm of await rules[kind](facts)) found.push({ kind, ...harm })
  }
  return found
}

/** Views and events are counted over so many calendar days with today. */
const countedDays = 30
const lately = `in the last ${countedDays} days`

type Found = Omit<Harm, 'kind'>

/** What is harm of each kind (docs/publishing.md). */
const rules: Record<HarmKind, (facts: Facts) => Promise<Found[]> | Found[]> = {
  domain_offline: domainsOffline,
  page_offline: pagesOffline,
  form_gone: formsGone,
  deliveries_lost: deliveriesLost,
  tracking_key_replaced: trackingKeyReplaced,
  changed_here: (facts) =>
    facts.plan.replaced.map(({ subject, at, by }) => ({
      subject,
      count: 1,
      message: `changed on ${timestamp(at)} by ${by.name} (${by.via}), which this would undo. ${howToKeep(subject, facts)}`,
    })),
}

/** A change by hand is in no folder that the box could give. */
function howToKeep(subject: string, facts: Facts): string {
  const { before, after, plan } = facts
  const page = before.assets.find((asset) => subjectOf(asset) === subject)
  if (page?.kind !== 'page' || page.current.publishedBy !== 'hand') {
    const fields = plan.changes.find((change) => subjectOf(change) === subject)?.fields ?? []
    const named = fields.slice(0, namesShown).map(({ field }) => field)
    if (subject !== siteToml && named.length > 0)
      return `To keep it, give the folder what the plan shows as the old value (${named.join(', ')}).`
    return 'To keep it, make the same change in the folder, or begin with the folder that Settings in the console gives you.'
  }
  const { name, current } = page
  const planned = after.find((asset) => asset.kind === 'page' && asset.name === name)
  if (planned !== undefined && planned.sha256 !== current.sha256) return howToKeepContent(page, facts)
  return `To keep it, write state = "${current.state}" for it in [[pages]].`
}

/** Visitors are served the content of a page only where it is live for all of them. */
function howToKeepContent({ name, current }: Asset, { before: { account }, now }: Facts): string {
  const [host] = account.settings.domains
  const isSplit = account.settings.splits.some(({ page }) => page === name)
  if (host !== undefined && isLiveAt(current, now) && !hasTimes(current) && !isSplit)
    return `To keep it, give the page's file what visitors see now: curl -sSo pages/${name}.html 'https://${host}/${name}'.`
  return `To keep it, give the page's file the content of the current version (\`capture page history ${account.handle} ${name}\`).`
}

async function domainsOffline({ before, folder, counts, fromDay }: Facts): Promise<Found[]> {
  const gone = before.account.settings.domains.filter((host) => !folder.settings.domains.includes(host))
  if (gone.length === 0) return []
  const views = await counts.views(before.account.id, 'host', fromDay)
  return gone.map((host) => ({
    subject: host,
    count: views.get(host) ?? 0,
    message: `every page and link on it stops working (${plural(views.get(host) ?? 0, 'view')} ${lately}). Keep it in domains, beside a new one, until nobody follows its links.`,
  }))
}

type SeenAtTimes = Pick<PlannedAsset, 'kind' | 'name' | 'state' | 'liveFrom' | 'liveUntil'>

/** Paths that show a page now, and lead nowhere afterwards. */
async function pagesOffline(facts: Facts): Promise<Found[]> {
  const { before, folder, after, counts, fromDay, now } = facts
  const { domains, home } = before.account.settings
  const [first] = domains
  const published = before.assets.map(({ kind, name, current }) => ({ ...current, kind, name }))
  const seenNow = (assets: readonly SeenAtTimes[]) => liveAmong(assets.filter((asset) => isLiveAt(asset, now)))
  const waysNow = waysOf(before.account.settings, seenNow(published))
  const waysThen = waysOf(folder.settings, seenNow(after))
  const walkThen = (path: string) => walkRedirects(waysThen, path, folder.settings.domains)
  const isLost = (path: string): boolean => wayOf(waysNow, path).to === 'page' && walkThen(path).end === 'nowhere'
  const gone = before.assets.filter(
    ({ kind, name }) => kind === 'page' && !waysThen.isLive('page', name) && isLost(`/${name}`),
  )
  const isHomeLost = home !== null && isLost('/')
  if (first === undefined || (gone.length === 0 && !isHomeLost)) return []
  const views = await counts.views(before.account.id, 'page', fromDay)
  const host = domains.find((domain) => folder.settings.domains.includes(domain)) ?? first
  const live = after.filter(({ kind, name }) => kind === 'page' && waysThen.isLive('page', name))
  const fresh = live.filter(({ name }) => !waysNow.isLive('page', name))
  const offerFor = redirectOffers(live, fresh)
  const pages = gone.map((page) => {
    const seen = views.get(page.name) ?? 0
    const led = walkThen(`/${page.name}`).paths.slice(1)
    const message =
      led.length > 0
        ? `/${page.name} leads to ${led.at(-1)} then, which answers 404 (${plural(seen, 'view')} ${lately}). Keep the page until a live one is there, or lead its visitors to one that is live already.`
        : `/${page.name} answers 404 then (${plural(seen, 'view')} ${lately}). ${offerFor(page)}`
    return { subject: `${host}/${page.name}`, count: seen, message }
  })
  if (!isHomeLost) return pages
  const seen = views.get(home) ?? 0
  const message = `/ shows "${home}" now and answers 404 then (its page had ${plural(seen, 'view')} ${lately}). Name a live page as home in site.toml.`
  return [...pages, { subject: `${host}/`, count: seen, message }]
}

/** Pages read at once. */
const pagesAtOnce = 8
const namesShown = 3

async function formsGone({ before, folder, plan, after, now, formsNamedBy }: Facts): Promise<Found[]> {
  const withdrawn = new Set(plan.publication.withdrawnForms)
  const refused = new Set(folder.forms.flatMap(({ id, registered }) => (registered ? [] : [id])))
  const gone = before.account.forms.filter(({ id, registered }) => registered && (withdrawn.has(id) || refused.has(id)))
  if (gone.length === 0) return []
  const pages = after.filter(
    ({ kind, state, liveUntil }) => treatedAs(kind) === 'page' && state === 'live' && (liveUntil ?? now + 1) > now,
  )
  const named = await severalAtOnce(pages, pagesAtOnce, formsNamedBy)
  return gone.flatMap(({ id, name }) => {
    const naming = pages.filter((_, index) => named[index]?.has(id)).map((page) => page.name)
    if (naming.length === 0) return []
    const shown = naming.slice(0, namesShown).join(', ')
    const more = naming.length > namesShown ? ` and ${count(naming.length - namesShown)} more` : ''
    return [
      {
        subject: `form ${id}`,
        count: naming.length,
        message: `what visitors send with ${name} is refused then, and ${plural(naming.length, 'live page')} still ${naming.length === 1 ? 'has' : 'have'} it: ${shown}${more}. Take it out of the pages first, or keep it in site.toml with registered = true.`,
      },
    ]
  })
}

async function deliveriesLost({ before, plan, counts }: Facts): Promise<Found[]> {
  const { account } = before
  const known = new Map(account.destinations.map((destination) => [destination.name, destination]))
  const replaced = plan.publication.destinations.flatMap(({ destination: { name, kind } }) =>
    known.has(name) && known.get(name)?.kind !== kind ? [name] : [],
  )
  const gone = [...plan.publication.removedDestinations, ...replaced]
  if (gone.length === 0) return []
  const waiting = await counts.waiting(account.id)
  const unprocessed = [...(await counts.unprocessed(account.id))]
  return gone.flatMap((name) => {
    const destination = known.get(name)
    const isWanted = (formId: string) => destination !== undefined && receivesForm(destination, formId)
    const soon = unprocessed.reduce((sum, [formId, count]) => sum + (isWanted(formId) ? count : 0), 0)
    const lost = (waiting.get(name) ?? 0) + soon
    if (lost === 0) return []
    const message = `${plural(lost, 'delivery', 'deliveries')} ${lost === 1 ? 'waits' : 'wait'} for it and would never be sent. Keep it as it is until nothing waits any more (\`capture delivery list ${account.handle}\`, or Deliveries in the console).`
    return [{ subject: `delivery ${name}`, count: lost, message }]
  })
}

async function trackingKeyReplaced({ before, plan, counts, now, fromDay }: Facts): Promise<Found[]> {
  const { id, handle, trackingKeys } = before.account
  const next = plan.publication.trackingKeyFingerprint
  const ended = trackingKeys.some(
    ({ fingerprint, validUntil }) =>
      fingerprint !== null && fingerprint !== next && (validUntil === null || now < validUntil),
  )
  if (next === null || !ended) return []
  const events = await counts.events(id, fromDay)
  const message = `pages with the present key (data-site-key) send events in vain from then on (${plural(events, 'event')} ${lately}). Leave key out of [tracking], and change it with an overlap (\`capture key rotate ${handle} --overlap 7d\`, or Tracking key in the console).`
  return [{ subject: 'tracking key', count: events, message }]
}
