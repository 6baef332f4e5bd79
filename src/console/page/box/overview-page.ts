import { html } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { attention, listOverview, type OverviewAccount } from '../../../operations/overview/attention.ts'
import type { AccountName } from '../../../operations/overview/overview-reader.ts'
import type { UserCaller } from '../../access/caller.ts'
import { pageOf } from '../../api/list.ts'
import type { TableColumn } from '../../look/table.ts'
import { type ShownList, shownList } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { boxGuide } from '../start/guides.ts'
import { agoTime } from '../values.ts'
import { attentionList, examinedAttention } from './check-list.ts'

/** `/?q&cursor`: what needs attention, and the user's accounts with today's leads. */
export const overviewPage: BoxPage = {
  path: '/',
  link: { group: 'Box', text: 'Overview' },
  for: 'signed_in',
  async show(call, box) {
    const { caller } = call
    const all = (await box.overview.accounts()).filter(({ id }) => caller.isOwner || caller.roles.has(id))
    const wanted = { accounts: all.filter(({ id }) => isWorkedOn(id, caller)), ofBox: caller.isOwner }
    const examined = caller.isOwner ? examinedAttention(box.examination.latest(), box.config.https.mode === 'auto') : []
    const now = box.clock.now()
    const [urgent, accounts] = await Promise.all([attention(box, wanted), shownList(accountsList(all, now), call, box)])
    return {
      body: html`${attentionList([...urgent, ...examined], { isOwner: caller.isOwner, now })}${await boxGuide(call, box)}${accounts ?? html`<h2>Accounts</h2><p>No account yet.</p>`}`,
    }
  },
}

/** Clients see figures only. */
const isWorkedOn = (accountId: string, { isOwner, roles }: UserCaller): boolean =>
  isOwner || (roles.get(accountId)?.role ?? 'client') !== 'client'

/** From this number of accounts on, the page offers a search. */
const searchedFrom = 12

const accountsList = (all: readonly AccountName[], now: number): ShownList<OverviewAccount, PageCall> => ({
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
  columns: () => columns(now),
  empty: null,
  ...(all.length >= searchedFrom && { nothing: () => 'Nothing found.' }),
})

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
