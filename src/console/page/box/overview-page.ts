import { html, type Markup } from '../../../lib/html.ts'
import { madeAt } from '../../../lib/id.ts'
import { count } from '../../../lib/quantities.ts'
import { accountNames } from '../../../operations/account/account-names.ts'
import type { CheckResult } from '../../../operations/check-result.ts'
import { attention, listOverview, type OverviewAccount } from '../../../operations/overview/attention.ts'
import { type AccountName, overviewDays } from '../../../operations/overview/overview-reader.ts'
import type { UserCaller } from '../../access/caller.ts'
import { isStaff, permissionOn } from '../../access/permission.ts'
import { pageOf } from '../../api/list.ts'
import { mark } from '../../look/notice.ts'
import type { PageContent } from '../../page-content.ts'
import { type ShownList, shownList } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { isCustomer } from '../page-locale.ts'
import { boxGuide } from '../start/guides.ts'
import { agoTime, statList } from '../values.ts'
import { attentionList, attentionMax, byUrgency, examinedAttention, merged, placeToAct, toneOf } from './check-list.ts'

/** `/?q&cursor`: what needs attention, and a board of the user's accounts: leads, how they change, health. */
export const overviewPage: BoxPage = {
  path: '/',
  link: { group: 'Box', text: 'Overview', icon: 'grid' },
  for: 'signed_in',
  async show(call, box) {
    const { caller } = call
    const all = (await box.overview.accounts()).filter(({ id }) => caller.isOwner || caller.roles.has(id))
    if (isCustomer(caller)) return ofCustomer(call, all)
    const wanted = { accounts: all.filter(({ id }) => isStaff(id, caller)), ofBox: caller.isOwner }
    const examined = caller.isOwner ? box.examination.latest() : null
    const now = box.clock.now()
    const { nameOf } = accountNames(all)
    const current = await attention(box, wanted)
    const besides = examinedAttention(examined, current, box.config.https.mode === 'auto')
    const urgent = merged([...current, ...besides].sort(byUrgency), nameOf)
    const accounts = await shownList(accountsList(all, { urgent, now, caller }), call, box)
    const looked = { isOwner: caller.isOwner, isExamined: examined !== null }
    return {
      body: html`${attentionList(urgent, looked)}${await boxGuide(call, box)}${accounts.body}`,
    }
  },
}

/** A customer begins with the report; who is the customer of several accounts chooses one. */
function ofCustomer({ locale }: PageCall, accounts: readonly AccountName[]): PageContent | Response {
  const reports = accounts.map(({ handle, name }) => ({ name, href: `/a/${handle}/report` }))
  const [only, ...more] = reports
  if (only !== undefined && more.length === 0) return seeOther(only.href)
  const list = html`<ul class="plain">${reports.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)}</ul>`
  return { title: locale.texts.console.accounts, body: list }
}

const accountsList = (all: readonly AccountName[], known: Known): ShownList<OverviewAccount, PageCall> => ({
  title: 'Accounts',
  heading: 'Accounts',
  api: '/accounts',
  shownMax: 200,
  async read(_, box, asked) {
    const { items, next } = pageOf(all, asked, {
      key: ({ handle }) => handle,
      texts: ({ handle, name, domains }) => [handle, name, ...domains],
    })
    return { items: await listOverview(box, items), next }
  },
  items: (accounts) => html`<ul class="board">${accounts.map((account) => card(account, known))}</ul>`,
  empty: () => html`<p>No account yet.</p>`,
  nothing: () => 'Nothing found.',
})

interface Known {
  urgent: readonly CheckResult[]
  now: number
  caller: UserCaller
}

function card({ id, handle, name, domains, byDay, lastAt }: OverviewAccount, { urgent, now, caller }: Known): Markup {
  const found = isStaff(id, caller) ? urgent.filter((result) => isOf(result, handle)) : []
  const [first = '', ...more] = domains
  return html`<li class="place"><h3><a href="/a/${handle}">${name}</a> ${health(found, { name, urgent })}</h3><p class="hint">${first}${more.length > 0 ? ` and ${more.length} more` : ''}</p>
${
  lastAt === null && sum(byDay) === 0
    ? html`<p>${wasThere({ id, byDay }, now) ? `No leads in ${byDay.length} days.` : html`No leads yet.${permissionOn(id, caller, { scope: 'publish' }) === 'whole' ? html`<br><a href="/a/${handle}">See how to get the first</a>` : null}`}</p>`
    : html`${leadsLine(byDay.slice(-overviewDays))}${statList([
        [`Leads in ${overviewDays} days`, leads({ id, byDay }, now)],
        ['Today', count(byDay.at(-1) ?? 0)],
        // Its record may have expired, or have come by way of quarantine: days count it all the same.
        ['Last lead', lastAt === null ? 'not known' : agoTime(lastAt, now)],
      ])}`
}</li>`
}

/** How many there were, and how many more than in the same number of days before, if the account was there for all of them. */
export function leads({ id, byDay }: Pick<OverviewAccount, 'id' | 'byDay'>, now: number): Markup {
  const lately = sum(byDay.slice(-overviewDays))
  const more = lately - sum(byDay.slice(0, -overviewDays))
  const words = more === 0 ? 'as before' : more > 0 ? `${count(more)} more` : `${count(-more)} fewer`
  return html`${count(lately)}${wasThere({ id, byDay }, now) ? html` <span class="hint">${words}</span>` : null}`
}

const dayMs = 86_400_000

/** Whether the account was there on all of the days. */
const wasThere = ({ id, byDay }: Pick<OverviewAccount, 'id' | 'byDay'>, now: number): boolean =>
  now - madeAt(id) >= byDay.length * dayMs

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

const isOf = ({ page, accounts = [] }: CheckResult, handle: string): boolean =>
  accounts.includes(handle) || (page !== undefined && 'account' in page && page.account === handle)

/** A single one leads to where it is mended, as the worst does that the list has no room for; several lead to the list. */
export function health(
  found: readonly CheckResult[],
  { name, urgent }: Pick<OverviewAccount, 'name'> & Pick<Known, 'urgent'>,
): Markup | null {
  const [first, ...more] = found
  if (first === undefined) return null
  const failing = found.filter((result) => toneOf(result) === 'bad').length
  const state =
    failing > 0 ? mark(`${count(failing)} failing`, 'bad') : mark(`${count(found.length)} to look at`, 'doubtful')
  const isListed = more.length > 0 && urgent.indexOf(first) < attentionMax
  return html`<a href="${isListed ? '#attention' : placeToAct(first)}">${state}<span class="unseen"> of ${name}</span></a>`
}

/** In units of the drawing; a day is one of them wide. */
const lineHeight = 8

/** Leads a day as one line, as wide as its card. Today, which is not over, is a dot that the line reaches in dashes. */
function leadsLine(byDay: readonly number[]): Markup {
  const most = Math.max(1, ...byDay)
  const heights = byDay.map((leads) => Math.round(100 * (lineHeight - (leads / most) * lineHeight)) / 100)
  const points = heights.slice(0, -1).map((height, day) => `${day},${height}`)
  const line = points.join(' ')
  const last = byDay.length - 1
  const today = byDay.at(-1) ?? 0
  const label = `Leads a day: at most ${count(Math.max(0, ...byDay))}, today ${count(today)}`
  return html`<svg class="leads-line" role="img" aria-label="${label}" preserveAspectRatio="none" viewBox="0 -1 ${last} ${lineHeight + 2}"><polygon points="0,${lineHeight} ${line} ${last - 1},${lineHeight}"/><polyline points="${line}"/><polyline class="open" points="${points.at(-1) ?? ''} ${last},${heights.at(-1) ?? 0}"/><path d="M${last} ${heights.at(-1) ?? 0}h0"/></svg>`
}
