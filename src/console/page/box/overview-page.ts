import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { attention, listOverview, type OverviewAccount } from '../../../operations/overview/attention.ts'
import type { AccountName } from '../../../operations/overview/overview-reader.ts'
import type { UserCaller } from '../../access/caller.ts'
import { pageOf } from '../../api/cursor.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { stackedTable } from '../../look/wide-table.ts'
import { agoTime } from '../ago-time.ts'
import { askedOf, listWays, searchForm } from '../list-parts.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { boxGuide } from '../start/guides.ts'
import { attentionList, examinedAttention } from './check-list.ts'

const shownMax = 200

/** `/?q&cursor`: what needs attention, and the user's accounts with today's leads. */
export const overviewPage: BoxPage = {
  of: 'box',
  path: '/',
  link: { group: 'Box', text: 'Overview' },
  for: 'signed_in',
  async show(call, box) {
    const { caller, url } = call
    const all = (await box.overview.accounts()).filter(({ id }) => caller.isOwner || caller.roles.has(id))
    const { items, next } = pageOf(all, askedOf(url, shownMax), {
      key: ({ handle }) => handle,
      texts: ({ handle, name, domains }) => [handle, name, ...domains],
    })
    const wanted = { accounts: all.filter(({ id }) => isWorkedOn(id, caller)), ofBox: caller.isOwner }
    const examined = caller.isOwner ? examinedAttention(box.examination.latest(), box.config.https.mode === 'auto') : []
    const [urgent, accounts] = await Promise.all([attention(box, wanted), listOverview(box, items)])
    return {
      title: 'Overview',
      body: html`${attentionList([...urgent, ...examined], { isOwner: caller.isOwner, now: box.clock.now() })}${await boxGuide(call, box)}<h2>Accounts</h2>${accountsPart(call, { all, accounts, next }, box)}`,
    }
  },
}

/** Clients see figures only. */
const isWorkedOn = (accountId: string, { isOwner, roles }: UserCaller): boolean =>
  isOwner || (roles.get(accountId)?.role ?? 'client') !== 'client'

interface Found {
  all: readonly AccountName[]
  accounts: readonly OverviewAccount[]
  next: string | null
}

/** From this number of accounts on, the page offers a search. */
const searchedFrom = 12

function accountsPart({ url }: PageCall, { all, accounts, next }: Found, { clock }: ConsoleBox): Markup {
  if (all.length === 0) return html`<p>No account yet.</p>`
  const { q } = askedOf(url, shownMax)
  return html`${all.length < searchedFrom ? null : searchForm(q)}${accounts.length === 0 ? html`<p>Nothing found.</p>` : accountsTable(accounts, clock.now())}
${listWays(url, { api: '/accounts', next, asked: { q } })}`
}

const accountsTable = (accounts: readonly OverviewAccount[], now: number): Markup =>
  stackedTable(
    'Accounts',
    html`<thead><tr><th>Account</th><th>Domain</th><th class="number">Leads today</th><th class="number">Yesterday</th><th>Last lead</th></tr></thead>
<tbody>${accounts.map((account) => row(account, now))}</tbody>`,
  )

function row({ handle, name, domains, today, yesterday, lastAt }: OverviewAccount, now: number): Markup {
  const [first = ''] = domains
  const more = domains.length > 1 ? ` and ${domains.length - 1} more` : ''
  return html`<tr><td><a href="/a/${handle}">${name}</a></td><td>${first}${more}</td><td class="number" data-label="today">${count(today)}</td><td class="number" data-label="yesterday">${count(yesterday)}</td><td data-label="last lead">${lastAt === null ? 'none yet' : agoTime(lastAt, now)}</td></tr>`
}
