import type { AccountSettings } from '../../../account/account.ts'
import { leadsHere } from '../../../lib/hostname.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { byteSize, count } from '../../../lib/quantities.ts'
import { overviewDays } from '../../../operations/overview/overview-reader.ts'
import { type RecentCounts, recentCounts } from '../../../operations/overview/recent-counts.ts'
import { publishPage, rollBackPage, unpublishPage } from '../../../operations/page/page-acts.ts'
import {
  type DescribedPage,
  type DescribedVersion,
  describePage,
  type ListedPage,
  listPages,
  siteTomlEntry,
} from '../../../operations/page/pages.ts'
import { type PreviewLink, previewLink } from '../../../operations/page/preview-link.ts'
import { promotePage } from '../../../operations/page/promote-page.ts'
import { pageOf } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { doneNote, emptyState, mark, notice } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { localTimeText } from '../../look/time-text.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm } from '../act-form.ts'
import { listPage, publishWay } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, may, type PageAct } from '../page.ts'
import { publishedWhere } from '../publish/publish-page.ts'
import { localDayTime, localTime, statList } from '../values.ts'
import { splitMark, splitOfVariant, splitSection, variantPart } from './page-split.ts'

/** `/a/ACCOUNT/pages?q&cursor`: the landing pages, ordered by slug. */
export const pagesPage: AccountPage = {
  path: '/a/:account/pages',
  link: { group: 'Site', text: 'Pages', icon: 'page' },
  scope: 'read',
  ...listPage<ListedPage & Brought & { seenAt: number | null }, AccountPageCall>({
    title: 'Pages',
    api: '/pages',
    shownMax: 50,
    async read({ account }, box, asked) {
      const { pages } = await listPages(box, account.handle)
      const { items, next } = pageOf(pages, asked, { key: ({ slug }) => slug, texts: ({ slug, id }) => [slug, id] })
      const counts = await recentCounts(account, box)
      const ids = items.map(({ id }) => id)
      const seen = await box.catalogue.lastSeen(ids, box.clock.now())
      return {
        items: items.map((page) => ({ ...page, ...broughtBy(page, counts), seenAt: seen.get(page.id) ?? null })),
        next,
      }
    },
    columns: ({ account: { handle, settings } }) => [
      { head: 'Page', cell: ({ slug }) => html`<a href="/a/${handle}/pages/${slug}">/${slug}</a>` },
      {
        head: 'State',
        cell: ({ slug, publishedBy, ...page }) =>
          html`${stateMark(page, settings.timezone)}${publishedBy === 'hand' ? html` ${mark('by hand')}` : null} ${splitMark(slug, settings.splits)}`,
      },
      {
        head: `Views in ${overviewDays} days`,
        kind: 'number',
        label: 'Views',
        cell: ({ slug, views }) => figure(slug, views, settings),
      },
      {
        head: `Leads in ${overviewDays} days`,
        kind: 'number',
        label: 'Leads',
        cell: ({ slug, leads }) => figure(slug, leads, settings),
      },
      {
        head: 'Published',
        cell: ({ seenAt }) =>
          seenAt === null ? html`<span class="soft">not published yet</span>` : localDayTime(seenAt, settings.timezone),
      },
      {
        head: 'Open',
        isUnseen: true,
        kind: 'end',
        cell: ({ slug, isLive, url }) =>
          html`<a href="${url}" rel="noopener noreferrer">${isLive ? 'Open' : 'Preview'}<span class="unseen"> of ${slug}</span></a>`,
      },
    ],
    empty: (call) =>
      emptyState(
        'No page yet',
        html`Put HTML files into <code>pages/</code> of the site folder and publish it: <code>pages/launch.html</code> becomes <code>/launch</code>. A website that is elsewhere needs no pages here.`,
        publishWay(call),
      ),
    way: publishWay,
    nothing: () => 'No page has this in its name.',
    note: () => 'A lead counts for the page on which its visitor arrived.',
  }),
}

/** What a variant brings stands with the page under whose address visitors see it. */
const figure = (slug: string, number: number, { splits }: Pick<AccountSettings, 'splits'>): Markup | string =>
  number === 0 && splitOfVariant(slug, splits) !== undefined ? html`<span class="soft">–</span>` : count(number)

/** What a page brought in the last days. */
interface Brought {
  views: number
  leads: number
}

const broughtBy = ({ slug }: Pick<ListedPage, 'slug'>, counts: RecentCounts): Brought => ({
  views: counts.viewsOfPage(slug),
  leads: counts.leadsOfPage(slug),
})

type Shown = Pick<ListedPage, 'state' | 'isLive' | 'hasEnded' | 'liveFrom' | 'liveUntil'>

/** Whether visitors see a page, and from and until when. */
function stateMark({ state, isLive, hasEnded, liveFrom, liveUntil }: Shown, timezone: string): Markup {
  const time = (at: number) => localTimeText(at, timezone)
  if (hasEnded && liveUntil !== null) return mark(`ended ${time(liveUntil)}`)
  const from = state === 'preview' || isLive || liveFrom === null ? '' : ` from ${time(liveFrom)}`
  const until = state === 'preview' || liveUntil === null ? '' : ` until ${time(liveUntil)}`
  return mark(`${state}${from}${until}`, isLive ? 'good' : 'plain')
}

/** Whether visitors see it, or saw it until its time was over. */
const wasSeen = ({ isLive, hasEnded }: Pick<Shown, 'isLive' | 'hasEnded'>): boolean => isLive || hasEnded

const previewTimes = [
  [1, 'an hour'],
  [24, 'a day'],
  [7 * 24, 'a week'],
  [30 * 24, '30 days'],
] as const

const slugIn = ({ params }: AccountPageCall): string => params.slug ?? ''

/** The revision that the form showed, so that the act does not overwrite somebody else's later change. */
const seenPage = (call: AccountPageCall) => ({ slug: slugIn(call), known: [call.fields.get('seen') ?? ''] })

/** The acts of the forms about a landing page. @param content the page with a preview address that was just made */
const pageActs = (
  content: (call: AccountPageCall, box: ConsoleBox, preview: PreviewLink) => Promise<PageContent>,
): Record<string, PageAct<AccountPageCall>> => ({
  publish: actForm(publishPage, {
    input: seenPage,
    shown: () => ({ notice: 'Published. Visitors see it now.' }),
  }),
  unpublish: actForm(unpublishPage, {
    input: seenPage,
    shown: () => ({ notice: 'Moved back to preview. Visitors cannot see it.' }),
  }),
  rollback: actForm(rollBackPage, {
    input: (call) => ({ ...seenPage(call), to: Number(call.fields.get('to')) }),
    shown: ({ answer }) => ({ notice: `Rolled back to version ${answer.rolledBackTo}.` }),
  }),
  promote: actForm(promotePage, {
    input: (call) => ({ ...seenPage(call), variant: call.fields.get('variant') ?? '' }),
    shown: ({ answer: { variant, from } }) => ({
      notice: `Variant ${variant} is the page now, and the split has ended. In the folder, remove the page's [[splits]] and copy pages/${from}.html over the page's file.`,
    }),
  }),
  preview: actForm(previewLink, {
    input: wantedPreview,
    shown: async ({ answer }, call, box) => ({ answer: await content(call, box, answer) }),
  }),
})

function wantedPreview(call: AccountPageCall) {
  const hours = previewTimes.find(([hours]) => String(hours) === call.fields.get('hours'))?.[0] ?? 1
  const version = Number(call.fields.get('version')) || undefined
  return { kind: 'page' as const, id: slugIn(call), version, ttl: `${hours}h` }
}

/** `/a/ACCOUNT/pages/SLUG`: a page with its versions, and forms to publish, unpublish, roll back and sign previews. */
export const pagePage: AccountPage = {
  path: '/a/:account/pages/:slug',
  scope: 'read',
  show: (call, box) => content(call, box, {}),
  forms: {
    scope: 'publish',
    chosen: actsBy(
      'do',
      pageActs((call, box, preview) => content(call, box, { preview })),
    ),
  },
}

interface Outcome {
  preview?: PreviewLink
}

async function content(call: AccountPageCall, box: ConsoleBox, outcome: Outcome): Promise<PageContent> {
  const page = await describePage(box, { account: call.account.handle, slug: call.params.slug ?? '' })
  const framesFrom = framedOrigin(page.previewBase, call.place.origin)
  const isPublisher = may(call, 'publish')
  const { handle, settings } = call.account
  const split = settings.splits.find((split) => split.page === page.slug) ?? null
  const counts = await recentCounts(call.account, box)
  const { views, leads } = broughtBy(page, counts)
  return {
    title: `/${page.slug}`,
    back: backLink(`/a/${handle}/pages`, 'All pages'),
    body: html`${outcomeNote(outcome, call)}${facts(page, call)}${
      !page.versions.some(wasSeen)
        ? null
        : (variantPart(handle, page.slug, settings.splits) ??
          statList([
            [`Views in ${overviewDays} days`, count(views)],
            [`Leads in ${overviewDays} days`, count(leads)],
          ]))
    }${pageActsPart(page, isPublisher)}${handNote(page, settings.timezone)}
${splitSection({ handle, split, seen: isPublisher ? page.revision : null, counts })}<h2>Versions</h2>
${versionList(page, { timezone: call.account.settings.timezone, mayPublish: isPublisher, isFramed: framesFrom !== null })}`,
    ...(framesFrom === null ? {} : { framesFrom }),
  }
}

function outcomeNote({ preview }: Outcome, { account }: AccountPageCall): Markup | null {
  if (preview === undefined) return null
  const until = localTime(preview.expiresAt, account.settings.timezone)
  const what = preview.version === null ? 'the latest version' : `version ${preview.version}`
  return doneNote(html`<p>Everybody who has this address sees ${what} until ${until}.</p>
${copyField({ id: 'preview', label: 'Preview address', text: preview.url })}`)
}

function facts(
  { isLive, state, url, versions, slug, ...page }: DescribedPage,
  { account: { settings } }: AccountPageCall,
): Markup {
  const shown = stateMark({ ...page, isLive, state }, settings.timezone)
  if (isLive) return html`<p class="lead">${shown} <a href="${url}" rel="noopener noreferrer">${url}</a></p>`
  const seen = versions.find(wasSeen)
  const [domain] = settings.domains
  const once = domain === undefined ? null : ` Once ${state === 'live' ? 'live' : 'published'}: ${domain}/${slug}`
  return html`<p class="lead">${shown} Visitors cannot see it.${seen === undefined ? null : html` They last saw version ${seen.number}, published ${localTime(seen.publishedAt, settings.timezone)}.`}${once}</p>`
}

/** What one does most comes first: to see a page that is live, and to publish another. */
function pageActsPart(page: DescribedPage, isPublisher: boolean): Markup {
  const { isLive, state, url, revision } = page
  const open = html`<a class="button" href="${url}" rel="noopener noreferrer">${isLive ? 'Open page' : 'Preview'}</a>`
  if (!isPublisher) return html`<div class="page-acts">${open}</div>`
  const form = (button: Markup) =>
    html`<form method="post"><input type="hidden" name="seen" value="${revision}">${button}</form>`
  const publish = html`<button name="do" value="publish">Publish${state === 'live' ? ' now' : null}</button>`
  const back = html`<button class="second" name="do" value="unpublish">Move back to preview</button>`
  return html`<div class="page-acts">${isLive ? null : form(publish)}${open}${previewForm(page)}${
    state === 'live' ? html`<details class="folded"><summary>More</summary>${form(back)}</details>` : null
  }</div>`
}

/** The folder is the source of truth: a change by hand lasts until the next apply. */
function handNote({ versions, current, slug }: DescribedPage, timezone: string): Markup | null {
  const shown = versions.find(({ number }) => number === current)
  const applied = versions.find(({ publishedBy }) => publishedBy === 'apply')
  if (shown?.publishedBy !== 'hand') return null
  const entry = siteTomlEntry(slug, shown, timezone).trimEnd()
  const stateLines =
    applied !== undefined && entry === siteTomlEntry(slug, applied, timezone).trimEnd()
      ? null
      : copyField({
          id: 'site-toml',
          label: 'To keep this, let the page’s entry in site.toml of the folder say',
          text: entry,
          rows: entry.split('\n').length,
        })
  const file =
    applied?.sha256 === shown.sha256
      ? null
      : html`<p>To keep this, put the content of version ${current} into <code>pages/${slug}.html</code> of the folder.</p>`
  return notice(
    'doubtful',
    html`<p><strong>Changed by hand.</strong> Publishing the folder again undoes this change.</p>${stateLines}${file}`,
  )
}

const previewForm = ({
  versions,
}: DescribedPage): Markup => html`<details class="folded"><summary>Share preview</summary>
<form class="filters" method="post"><label for="version">Show</label>
<select id="version" name="version"><option value="">the latest version</option>${versions.map(({ number }) => html`<option value="${number}">version ${number}</option>`)}</select>
<label for="hours">for</label><select id="hours" name="hours">${previewTimes.map(([hours, text]) => html`<option value="${hours}">${text}</option>`)}</select>
<button name="do" value="preview">Make address</button></form></details>`

/**
 * The origin of previews, if a page of the console can show them in frames. `null`: the browser would block them, as mixed
 * content or for want of a certificate, which no authority issues to a name of this machine; or the name leads to another machine.
 *
 * @param previewBase the start of preview addresses
 * @param consoleOrigin the console's origin in the browser
 */
function framedOrigin(previewBase: string, consoleOrigin: string): string | null {
  const [preview, console] = [new URL(previewBase), new URL(consoleOrigin)]
  if (console.protocol === 'https:' && preview.protocol !== 'https:') return null
  if (leadsHere(preview.hostname) && (preview.protocol === 'https:' || !leadsHere(console.hostname))) return null
  return preview.origin
}

interface VersionsShown {
  timezone: string
  mayPublish: boolean
  /** Whether each version has a picture, which the browser makes from the preview host's document. */
  isFramed: boolean
}

const versionList = (page: DescribedPage, shown: VersionsShown): Markup =>
  html`<ol class="versions${shown.isFramed ? '' : ' bare'}">${page.versions.map((version) => item(version, page, shown))}</ol>`

const item = (
  version: DescribedVersion,
  page: DescribedPage,
  { timezone, mayPublish, isFramed }: VersionsShown,
): Markup => {
  const { number, publishedAt, state, byteCount, sha256, previewUrl } = version
  const isCurrent = number === page.current
  const came = page.versions.some(wasSeen) ? 'Published' : 'Uploaded'
  const currentHash = page.versions.find(({ number }) => number === page.current)?.sha256
  return html`<li>${isFramed ? picture(version) : null}<div>
<p><strong>Version ${number}</strong> ${isCurrent ? (page.isLive ? mark('current', 'good') : mark('latest')) : mark(state === 'live' ? 'was live' : 'was in preview')}</p>
${timesLine(version, timezone)}<p class="meta" title="SHA-256 ${sha256}">${came} ${localTime(publishedAt, timezone)} ${publisher(version)} · ${byteSize(byteCount)}</p>
${isCurrent ? null : html`<div class="actions"><a href="${previewUrl}" rel="noopener noreferrer">Open<span class="unseen"> version ${number}</span></a>${mayPublish && sha256 !== currentHash ? rollBackForm(page, number) : null}</div>`}</div></li>`
}

function timesLine({ state, liveFrom, liveUntil }: DescribedVersion, timezone: string): Markup | null {
  if (state === 'preview' || (liveFrom === null && liveUntil === null)) return null
  const from = liveFrom === null ? null : html` from ${localTime(liveFrom, timezone)}`
  const until = liveUntil === null ? null : html` until ${localTime(liveUntil, timezone)}`
  return html`<p class="meta">Shown${from}${until}</p>`
}

/**
 * Sandboxed without scripts, so none of its code runs. It keeps the origin of the preview host, which serves images only to its
 * own pages.
 */
const picture = ({ number, previewUrl }: DescribedVersion): Markup =>
  html`<div class="picture"><iframe src="${previewUrl}" title="Picture of version ${number}" sandbox="allow-same-origin" loading="lazy" tabindex="-1"></iframe></div>`

function publisher({ by, publishedBy }: DescribedVersion): string {
  const how = publishedBy === 'hand' ? 'by hand' : 'from a folder'
  return by === null ? how : `${publishedBy === 'hand' ? 'by hand, ' : ''}by ${by.name}, ${publishedWhere[by.via]}`
}

const rollBackForm = ({ revision }: DescribedPage, number: number): Markup =>
  html`<form method="post"><input type="hidden" name="seen" value="${revision}"><input type="hidden" name="do" value="rollback">
<button class="quiet" name="to" value="${number}">Roll back to this<span class="unseen"> (version ${number})</span></button></form>`
