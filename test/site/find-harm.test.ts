// Made-up sites against their next version: no plan raises a false alarm, and none misses what was planted in it.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { StoredAccount } from '../../src/account/account.ts'
import { trackingKeyFingerprint } from '../../src/account/tracking-key.ts'
import type { Asset } from '../../src/asset/asset.ts'
import { findHarm } from '../../src/site/find-harm.ts'
import type { SiteFolder } from '../../src/site/folder.ts'
import { type Harm, type HarmKind, harmKinds } from '../../src/site/harm.ts'
import type { HarmCounts } from '../../src/site/harm-counts.ts'
import { planSite } from '../../src/site/plan.ts'
import type { HashedAsset } from '../../src/site/plan-assets.ts'
import { account } from '../cli/sample-account.ts'

interface Page {
  state: 'live' | 'preview'
  text: string
  /** The forms that it names. */
  forms: string[]
  liveFrom?: number
}

/** A site as far as harm can come to it. */
interface Site {
  domains: string[]
  home: string | null
  pages: Record<string, Page>
  /** Whether each is registered. */
  forms: Record<string, boolean>
  /** Kinds of destinations by name. */
  hooks: Record<string, 'webhook' | 'slack'>
  redirects: Record<string, string>
  key: string
}

const now = Date.UTC(2026, 10, 23)
const key = (letter: string): string => `svc_tk_${letter.repeat(32)}`
const page = (forms: string[] = [], text = ''): Page => ({ state: 'live', text, forms })

/** What the tests harm, beside whatever else a site has. */
const always: Site = {
  domains: ['go.acme.example', 'old.acme.example'],
  home: 'index',
  pages: { index: page(), victim: page(['other123'], 'victim'), asking: page(['contact1']), changed: page() },
  forms: { contact1: true, other123: true },
  hooks: { crm: 'webhook' },
  redirects: {},
  key: key('a'),
}

const slugs = fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `p-${name}`)
const formIds = fc.stringMatching(/^[a-z0-9]{8}$/)
const someForms = fc.uniqueArray(formIds, { maxLength: 4 })

const sites: fc.Arbitrary<Site> = fc
  .record({
    forms: someForms,
    hosts: fc.uniqueArray(fc.stringMatching(/^h[a-z]{1,5}$/), { maxLength: 3 }),
    slugs: fc.uniqueArray(slugs, { maxLength: 6 }),
    states: fc.array(fc.constantFrom<Page['state']>('live', 'preview'), { minLength: 6, maxLength: 6 }),
    unregistered: fc.boolean(),
  })
  .map(({ forms, hosts, slugs, states, unregistered }) => ({
    ...always,
    domains: [...always.domains, ...hosts.map((host) => `${host}.acme.example`)],
    forms: { ...always.forms, ...Object.fromEntries(forms.map((id) => [id, !unregistered])) },
    pages: {
      ...always.pages,
      ...Object.fromEntries(slugs.map((slug, at) => [slug, { ...page(forms), state: states[at] ?? 'live' }])),
    },
    hooks: { ...always.hooks, ...(unregistered && { quiet: 'webhook' as const }) },
  }))

type Step = (site: Site) => Site

const without = <T>(all: Record<string, T>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([other]) => other !== name))

/** What an agency does to a site that takes nothing away. */
const harmless: Record<string, Step> = {
  nothing: (site) => site,
  'a new page': (site) => ({ ...site, pages: { ...site.pages, fresh: page(['contact1']) } }),
  'another text': (site) => ({ ...site, pages: { ...site.pages, index: page([], 'new text') } }),
  'a new domain': (site) => ({ ...site, domains: [...site.domains, 'new.acme.example'] }),
  'the domains in another order': (site) => ({ ...site, domains: site.domains.toReversed() }),
  'a new form': (site) => ({ ...site, forms: { ...site.forms, newform1: true } }),
  'a destination with nothing waiting gone': (site) => ({ ...site, hooks: without(site.hooks, 'quiet') }),
  'a renamed page with its redirect': ({ redirects, pages, ...site }) => ({
    ...site,
    pages: { ...without(pages, 'asking'), ask: page(['contact1']) },
    redirects: { ...redirects, '/asking': '/ask' },
  }),
  'previews gone': (site) => ({
    ...site,
    pages: Object.fromEntries(Object.entries(site.pages).filter(([, { state }]) => state === 'live')),
  }),
  'forms gone together with every mention': (site) => ({
    ...site,
    forms: always.forms,
    pages: Object.fromEntries(
      Object.entries(site.pages).map(([slug, page]) => [
        slug,
        { ...page, forms: page.forms.filter((id) => id in always.forms) },
      ]),
    ),
  }),
  'another home page': (site) => ({ ...site, home: 'changed' }),
}

/** What somebody does to a site by mistake, each in several ways, and what is then to be found. */
const planted: Record<Exclude<HarmKind, 'changed_here'>, { subject: string; ways: Step[] }> = {
  domain_offline: {
    subject: 'old.acme.example',
    ways: [(site) => ({ ...site, domains: site.domains.filter((host) => host !== 'old.acme.example') })],
  },
  page_offline: {
    subject: 'acme.example/victim',
    ways: [
      (site) => ({ ...site, pages: without(site.pages, 'victim') }),
      ({ pages, ...site }) => ({ ...site, pages: { ...pages, victim: { ...page(), state: 'preview' } } }),
      ({ pages, ...site }) => ({
        ...site,
        pages: { ...without(pages, 'victim'), survivor: page(['other123'], 'victim') },
      }),
    ],
  },
  form_gone: {
    subject: 'form contact1',
    ways: [
      (site) => ({ ...site, forms: without(site.forms, 'contact1') }),
      (site) => ({ ...site, forms: { ...site.forms, contact1: false } }),
    ],
  },
  deliveries_lost: {
    subject: 'delivery crm',
    ways: [
      (site) => ({ ...site, hooks: without(site.hooks, 'crm') }),
      (site) => ({ ...site, hooks: { ...site.hooks, crm: 'slack' } }),
    ],
  },
  tracking_key_replaced: { subject: 'tracking key', ways: [(site) => ({ ...site, key: key('b') })] },
}

const plantedKinds = Object.keys(planted) as (keyof typeof planted)[]

const counts: HarmCounts = {
  views: async () => new Map([['victim', 7]]),
  events: async () => 5,
  waiting: async () => new Map([['crm', 3]]),
  unprocessed: async () => new Map(),
}

interface Apply {
  prune: boolean
  /** What was changed on the box. */
  subjects?: string[]
  publishedBy?: 'apply' | 'hand'
}

/** The harm of a plan from one site to the next. */
async function harmOf(
  before: Site,
  after: Site,
  { prune, subjects = [], publishedBy = 'apply' }: Apply,
): Promise<Harm[]> {
  const stored = storedOf(before)
  const published = assetsOf(before).map((asset): Asset => {
    const { kind, name, ...version } = asset
    return {
      id: name,
      kind,
      name,
      current: { ...version, number: 1, variants: [], publishedAt: 0, publishedBy },
    }
  })
  const by = { via: 'console' as const, name: 'jo' }
  const changedHere = subjects.map((subject) => ({ subject, at: 0, by, keys: null }))
  const current = { account: stored, assets: published, lost: new Map(), kept: null, changedHere }
  const hashed = assetsOf(after)
  const folder = folderOf(after)
  const minting = { mintTrackingKey: () => key('c'), mintWebhookSecret: () => 'whsec_' }
  const plan = planSite(folder, hashed, current, { prune, ...minting })
  const change = { before: current, folder, hashed, plan, now }
  return findHarm(change, { counts, formsNamedBy: async ({ sha256 }) => new Set((JSON.parse(sha256) as Page).forms) })
}

const settingsOf = ({ domains, home, redirects }: Site) => ({
  ...account().settings,
  domains,
  home,
  redirects: Object.entries(redirects).map(([from, to]) => ({ from, to, status: 302 as const })),
})

const formsOf = ({ forms }: Site) =>
  Object.entries(forms).flatMap(([id, registered]) =>
    account().forms.map((form) => ({ ...form, id, registered, version: 1 })),
  )

const everything = { forms: null, when: null, confirmed: false }

const destinationsOf = ({ hooks }: Site) =>
  Object.entries(hooks).map(([name, kind]) =>
    kind === 'slack'
      ? { name, kind, ...everything, url: 'https://hooks.slack.com/x' }
      : { name, kind, ...everything, url: 'https://crm.example.com/', givenSecret: null },
  )

const storedOf = (site: Site): StoredAccount =>
  account({
    settings: settingsOf(site),
    forms: formsOf(site),
    destinations: destinationsOf(site),
    trackingKeys: [{ fingerprint: trackingKeyFingerprint(site.key), validUntil: null }],
  })

/** The hash of a page tells what stands in it. */
const assetsOf = ({ pages }: Site): HashedAsset[] =>
  Object.entries(pages).map(([name, { state, liveFrom = null, ...content }]) => {
    const file = `pages/${name}.html`
    const times = { liveFrom, liveUntil: null }
    return { kind: 'page', name, shown: file, file, byteCount: 1, state, ...times, sha256: JSON.stringify(content) }
  })

const place = { key: '', line: 1 }

const folderOf = (site: Site): SiteFolder => ({
  ...{ root: '', siteToml: JSON.stringify(site), handle: 'acme', trackingKey: site.key, settings: settingsOf(site) },
  ...{ handlePlace: place, domainsPlace: place, originsPlace: place, mailFromPlace: place, verifyUrlPlace: place },
  ...{ keptSecrets: [], fetchedSecrets: new Map(), skipped: [], warnings: [], assets: [], steps: [] },
  forms: formsOf(site).map(({ version: _, ...form }) => form),
  destinations: destinationsOf(site).map((destination) => ({ destination, secret: null, urlPlace: place })),
})

const steps = fc.uniqueArray(fc.constantFrom(...Object.values(harmless)), { maxLength: 5 })
const through = (site: Site, taken: readonly Step[]): Site => taken.reduce((now, step) => step(now), site)
const runs = { numRuns: 200 }

describe('a plan', () => {
  test('of a site that loses nothing has no harm', () =>
    fc.assert(
      fc.asyncProperty(sites, steps, fc.boolean(), async (site, taken, prune) => {
        expect(await harmOf(site, through(site, taken), { prune })).toEqual([])
      }),
      runs,
    ))

  test('names every harm that is in it, and no other', () =>
    fc.assert(
      fc.asyncProperty(sites, steps, fc.subarray(plantedKinds), fc.nat(2), async (site, taken, kinds, way) => {
        const wrong = kinds
          .map((kind) => planted[kind].ways)
          .map((ways) => ways[way % ways.length] ?? ((same: Site) => same))
        const found = await harmOf(site, through(site, [...taken, ...wrong]), { prune: true })
        expect(found.map(({ kind }) => kind)).toEqual(harmKinds.filter((kind) => kinds.some((other) => other === kind)))
        for (const { kind, subject } of found) expect(subject).toEndWith(planted[kind as keyof typeof planted].subject)
      }),
      runs,
    ))

  test('undoes what was changed on the box alone where it changes that too', () =>
    fc.assert(
      fc.asyncProperty(sites, fc.boolean(), async (site, isUndone) => {
        const after = isUndone ? { ...site, pages: { ...site.pages, changed: page([], 'as before') } } : site
        const found = await harmOf(site, after, { prune: false, subjects: ['page changed'] })
        expect(found.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(
          isUndone ? ['changed_here page changed'] : [],
        )
      }),
      runs,
    ))

  test('that prunes nothing takes no page and no registered form off the site', async () => {
    const after = { ...always, pages: { index: page() }, forms: {} }
    expect(await harmOf(always, after, { prune: false })).toEqual([])
    expect((await harmOf(always, after, { prune: true })).map(({ subject }) => subject)).toEqual([
      'go.acme.example/victim',
      'go.acme.example/asking',
      'go.acme.example/changed',
    ])
  })
})

describe('a page that goes', () => {
  const renamedTo = (...names: string[]): Site => ({
    ...always,
    pages: { ...without(always.pages, 'victim'), ...Object.fromEntries(names.map((name) => [name, page([], name)])) },
  })
  const messageOf = async (after: Site): Promise<string> =>
    (await harmOf(always, after, { prune: true }))[0]?.message ?? ''

  test.each([
    ['a page with the same bytes', planted.page_offline.ways[2]?.(always) ?? always, '/survivor'],
    ['one with a near name', renamedTo('victims', 'something-else'), '/victims'],
  ])('offers the redirect to %s', async (_, after, to) => {
    expect(await messageOf(after)).toContain(`\n\n[[redirects]]\nfrom = "/victim"\nto = "${to}"\n`)
  })

  test('offers the redirect to one that an earlier publish brought', async () => {
    const renamed = planted.page_offline.ways[2]?.(always) ?? always
    const both = { ...renamed, pages: { ...always.pages, ...renamed.pages } }
    const [found] = await harmOf(both, renamed, { prune: true })
    expect(found?.message).toContain('from = "/victim"\nto = "/survivor"\n')
  })

  test('offers none where nothing looks like it', async () => {
    expect(await messageOf(renamedTo('spring-offer'))).toContain('lead its visitors on with [[redirects]]')
  })

  test('is lost where its redirects end at a page that is not live yet', async () => {
    const { pages, ...site } = renamedTo('autumn')
    const redirects = { '/victim': '/fall', '/fall': 'https://go.acme.example/autumn' }
    const later = { ...site, redirects, pages: { ...pages, autumn: { ...page(), liveFrom: now + 1 } } }
    expect(await messageOf(later)).toContain('/victim leads to /autumn then, which answers 404')
    expect(await messageOf({ ...site, redirects, pages })).toBe('')
  })

  test('has its views, and its address on a domain that stays', async () => {
    const after = { ...renamedTo(), domains: ['old.acme.example'] }
    const found = await harmOf(always, after, { prune: true })
    expect(found).toMatchObject([
      { kind: 'domain_offline', subject: 'go.acme.example', count: 0 },
      { kind: 'page_offline', subject: 'old.acme.example/victim', count: 7 },
    ])
  })
})

describe('a page changed by hand', () => {
  const { changed = page() } = always.pages
  const adviceFor = async (before: Site): Promise<string> => {
    const after = { ...before, pages: { ...before.pages, changed: { ...changed, text: 'of the folder' } } }
    const found = await harmOf(before, after, { prune: false, subjects: ['page changed'], publishedBy: 'hand' })
    return found.map(({ message }) => message).join()
  }
  const shownAs = (others: Partial<Page>): Site => ({
    ...always,
    pages: { ...always.pages, changed: { ...changed, ...others } },
  })

  test('is kept by fetching it, where all visitors see it', async () => {
    expect(await adviceFor(always)).toContain("curl -sSo pages/changed.html 'https://go.acme.example/changed'")
  })

  test.each([
    ['of an account without domains', { ...always, domains: [] }],
    ['in preview', shownAs({ state: 'preview' })],
    ['with a time', shownAs({ liveFrom: now - 1 })],
  ])('%s, by its version', async (_, site) => {
    const advice = await adviceFor(site)
    expect(advice).toContain('`capture page history acme changed`')
    expect(advice).not.toContain('curl')
  })
})
