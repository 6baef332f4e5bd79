import type { StoredAccount } from '../../account/account.ts'
import type { Form } from '../../account/form.ts'
import type { Entry, RequestSource } from '../../ledger/entry.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { derivedId, madeAt } from '../../lib/id.ts'

const days = 14
const msPerDay = 86_400_000
const msPerMinute = 60_000
const visitsPerDay = 32

/** Where made-up visitors come from, and how many of a hundred of them. */
const channels = [
  { share: 30, referer: null, query: '', leadsPerHundred: 8 },
  { share: 24, referer: 'https://www.google.com/', query: '', leadsPerHundred: 7 },
  {
    share: 16,
    referer: null,
    query: '?utm_source=newsletter&utm_medium=email&utm_campaign=two-inks',
    leadsPerHundred: 16,
  },
  {
    share: 14,
    referer: 'https://www.instagram.com/',
    query: '?utm_source=instagram&utm_medium=social',
    leadsPerHundred: 4,
  },
  {
    share: 12,
    referer: 'https://www.google.com/',
    query: '?utm_source=google&utm_medium=cpc&utm_campaign=posters',
    leadsPerHundred: 6,
  },
  { share: 4, referer: 'https://print-rooms.example/', query: '', leadsPerHundred: 20 },
] as const

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const tablet =
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const agents = [
  { share: 52, agent: phone },
  { share: 38, agent: desktop },
  { share: 6, agent: tablet },
  { share: 4, agent: crawler },
] as const

const wishes = [
  {
    work: 'poster',
    copies: '50',
    first_ink: 'Buoy red',
    second_ink: 'Harbour blue',
    message: 'A poster for a summer fair. The drawing is ready.',
  },
  {
    work: 'cards',
    copies: '200',
    first_ink: 'Kelp green',
    second_ink: 'Lamp yellow',
    message: 'Two hundred cards with an envelope each, if you have them.',
  },
  {
    work: 'zine',
    copies: '100',
    first_ink: 'Float pink',
    second_ink: 'Squid black',
    message: 'Twelve pages, folded. Could we see the paper first?',
  },
  { work: 'poster', copies: '100', first_ink: 'Squid black', second_ink: 'Buoy red', message: '' },
  {
    work: 'other',
    copies: '50',
    first_ink: 'Harbour blue',
    second_ink: 'Lamp yellow',
    message: 'Labels for jars, round ones. Is that possible?',
  },
] as const

/** The site that the visitors see, as this run serves it. */
interface VisitedSite {
  account: StoredAccount
  form: Form
  /** Without a final slash. */
  origin: string
  home: string
  /** The hashes of its published pages, by slug; the home page is one of them. */
  contents: ReadonlyMap<string, string>
}

/**
 * Fills an account that has no records yet with made-up ones of the fourteen days before the account was made: visits, some of which become
 * leads. Each made-up lead says so in its field `made_up`.
 */
export async function appendFortnight(ledger: Ledger, site: VisitedSite): Promise<void> {
  const known = await ledger.readAfter({ accountId: site.account.id, after: null, limit: 1 })
  if (known.length > 0) return
  // In one piece: an interrupted demo has all of it or none, and the next start brings back nothing that was erased.
  await ledger.append(fortnight(site, madeAt(site.account.id)))
}

/** In order of receipt. */
function fortnight(site: VisitedSite, endsAt: number): Entry[] {
  const draw = draws()
  const entries: Entry[] = []
  const firstDay = Math.floor(endsAt / msPerDay) - days + 1
  for (let visit = 0; visit < days * visitsPerDay; visit++) {
    // More in the afternoon than at night, and fewer at weekends.
    const day = firstDay + Math.floor(draw(days))
    const weekday = (day + 4) % 7
    const minute = 6 * 60 + (draw(9 * 60) + draw(9 * 60))
    const startsAt = Math.floor(day * msPerDay + minute * msPerMinute)
    const isWeekend = weekday === 0 || weekday === 6
    if (!isWeekend || draw(100) < 55) entries.push(...visitOf(site, { number: visit, startsAt }, draw))
  }
  return entries.filter(({ receivedAt }) => receivedAt < endsAt).sort((a, b) => a.receivedAt - b.receivedAt)
}

function visitOf(site: VisitedSite, { number, startsAt }: { number: number; startsAt: number }, draw: Draw): Entry[] {
  const channel = byShare(channels, draw)
  const { agent } = byShare(agents, draw)
  // Some come back: two visits in three have a visitor of their own.
  const visitor = draw(3) < 2 ? number : Math.floor(number / 8)
  const deviceId = derivedId(0, `demo visitor ${visitor}`)
  const about = { site, deviceId, agent, referer: channel.referer }
  const entries: Entry[] = [viewOf(about, { at: startsAt, slug: site.home, query: channel.query })]
  if (agent === crawler) return entries
  if (draw(100) < 12 && site.contents.has('privacy'))
    entries.push(viewOf(about, { at: startsAt + 40_000, slug: 'privacy', query: '' }))
  if (draw(100) < 18) entries.push(eventOf(about, { at: startsAt + 65_000, event: 'price_sheet' }))
  if (draw(100) < channel.leadsPerHundred) {
    entries.push(
      leadOf(about, { at: startsAt + 150_000, visitor, isSpam: draw(100) < 8, wish: Math.floor(draw(wishes.length)) }),
    )
  }
  return entries
}

interface Visitor {
  site: VisitedSite
  deviceId: string
  agent: string
  referer: string | null
}

const idOf = (at: number, what: string): string => derivedId(at, `demo ${what} ${at}`)

const sourceOf = ({ site, agent }: Visitor, referer: string | null, origin: string | null): RequestSource => ({
  ip: '203.0.113.0',
  userAgent: agent,
  origin,
  referer,
  host: new URL(site.origin).hostname,
})

function viewOf(visitor: Visitor, { at, slug, query }: { at: number; slug: string; query: string }): Entry {
  const { site, deviceId, referer } = visitor
  const isFirst = slug === site.home
  return {
    kind: 'page_view',
    id: idOf(at, `view of ${slug} by ${deviceId}`),
    accountId: site.account.id,
    receivedAt: at,
    test: false,
    source: sourceOf(visitor, isFirst ? referer : `${site.origin}/${site.home}`, null),
    deviceId,
    slug,
    sha256: site.contents.get(slug) ?? '',
    url: `${site.origin}/${slug}${query}`,
    path: `/${slug}`,
    host: new URL(site.origin).hostname,
    attribution: Object.fromEntries(new URLSearchParams(query)),
  }
}

function eventOf(visitor: Visitor, { at, event }: { at: number; event: string }): Entry {
  const { site, deviceId } = visitor
  const page = `${site.origin}/${site.home}`
  return {
    kind: 'event',
    id: idOf(at, `event by ${deviceId}`),
    accountId: site.account.id,
    receivedAt: at,
    test: false,
    source: sourceOf(visitor, page, site.origin),
    event,
    deviceId,
    properties: { url: page },
    traits: null,
    attribution: {},
    consent: 'header',
  }
}

interface MadeUpLead {
  at: number
  visitor: number
  isSpam: boolean
  wish: number
}

function leadOf(visitor: Visitor, { at, visitor: number, isSpam, wish }: MadeUpLead): Entry {
  const { site, deviceId } = visitor
  const { form } = site
  const email = `visitor-${number}@sample.example`
  return {
    kind: 'submission',
    id: idOf(at, `lead of ${deviceId}`),
    accountId: site.account.id,
    receivedAt: at,
    test: false,
    source: sourceOf(visitor, `${site.origin}/${site.home}`, site.origin),
    formId: form.id,
    formVersion: form.version,
    status: isSpam ? 'refused' : 'accepted',
    refusedFor: isSpam ? 'honeypot' : null,
    email,
    deviceId,
    consentTextId: form.consentTextId,
    honeypot: form.honeypot === null ? null : { field: form.honeypot, value: isSpam ? 'https://spam.example/' : '' },
    botCheck: { required: true, provider: 'altcha', verified: !isSpam },
    fields: { name: `Visitor ${number}`, email, ...wishes[wish], consent: 'yes', made_up: 'yes' },
  }
}

/** A number of [0, below). */
type Draw = (below: number) => number

/** The same numbers for each demo, so that a picture of one shows what the next one shows (Park and Miller, minimal standard). */
function draws(): Draw {
  let state = 20_261
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return (state / 2_147_483_647) * below
  }
}

function byShare<Row extends { share: number }>(rows: readonly Row[], draw: Draw): Row {
  let left = draw(100)
  const found = rows.find(({ share }) => {
    left -= share
    return left < 0
  })
  const chosen = found ?? rows.at(-1)
  if (chosen === undefined) throw new Error('no rows to choose from')
  return chosen
}
