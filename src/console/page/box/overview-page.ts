import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { attention, listOverview, type OverviewAccount } from '../../../operations/overview/attention.ts'
import type { AccountName } from '../../../operations/overview/overview-reader.ts'
import type { UserCaller } from '../../access/caller.ts'
import { pageOf } from '../../api/cursor.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { askedOf, listWays, searchForm } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { boxGuide } from '../start/guides.ts'
import { agoTime } from '../values.ts'
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
  return html`${all.length < searchedFrom ? null : searchForm(q)}${accounts.length === 0 ? html`<p>Nothing found.</p>` : table('Accounts', columns(clock.now()), accounts)}
${listWays(url, { api: '/accounts', next, asked: { q } })}`
}

const columns = (now: number): TableColumn<OverviewAccount>[] => [
  { head: 'Account', cell: ({ handle, name }) => html`<a href="/a/${handle}">${name}</a>` },
  {
    head: 'Domain',
    cell: ({ domains }) => `${domains[0] ?? ''}${domains.length > 1 ? ` and ${domains.length - 1} more` : ''}`,
  },
  { head: 'Leads today', kind: 'number', label: 'today', cell: ({ today }) => count(today) },
  { head: 'Yesterday', kind: 'number', label: true, cell: ({ yesterday }) => count(yesterday) },
  { head: 'Last lead', label: true, cell: ({ lastAt }) => (lastAt === null ? 'none yet' : agoTime(lastAt, now)) },
]
