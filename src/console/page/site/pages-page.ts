import { html, type Markup } from '../../../lib/html.ts'
import { type ListedPage, listPages } from '../../../operations/page/list-pages.ts'
import { pageOf } from '../../api/cursor.ts'
import { mark } from '../../look/mark.ts'
import { stackedTable } from '../../look/wide-table.ts'
import { askedOf, listWays, searchForm } from '../list-parts.ts'
import { localTime } from '../local-time.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'

const shownMax = 50

/** `/a/ACCOUNT/pages?q&cursor`: the landing pages, ordered by slug. */
export const pagesPage: AccountPage = {
  of: 'account',
  path: '/a/:account/pages',
  link: { group: 'Site', text: 'Pages' },
  scope: 'read',
  async show(call, box) {
    const { account, url } = call
    const asked = askedOf(url, shownMax)
    const { pages } = await listPages(box, account.handle)
    const { items, next } = pageOf(pages, asked, { key: ({ slug }) => slug, texts: ({ slug, id }) => [slug, id] })
    const ways = listWays(url, { api: `/accounts/${account.handle}/pages`, next, asked: { q: asked.q } })
    return {
      title: 'Pages',
      body: pages.length === 0 ? emptyState : html`${searchForm(asked.q)}${table(items, call)}${ways}`,
    }
  },
}

const emptyState = html`<p>No page yet. Put HTML files into <code>pages/</code> of the site folder and publish it:
<code>pages/launch.html</code> becomes <code>/launch</code>.</p>`

const table = (pages: readonly ListedPage[], call: AccountPageCall): Markup =>
  pages.length === 0
    ? html`<p>No page has this in its name.</p>`
    : stackedTable(
        'Pages',
        html`<thead><tr><th>Page</th><th>State</th><th class="number">Version</th><th>Published</th><th>Address</th></tr></thead>
<tbody>${pages.map((page) => row(page, call))}</tbody>`,
      )

const row = (
  { slug, state, version, publishedAt, publishedBy, url }: ListedPage,
  { account: { handle, settings } }: AccountPageCall,
): Markup => html`<tr><td><a class="slug" href="/a/${handle}/pages/${slug}">${slug}</a></td>
<td>${stateMark(state)}${publishedBy === 'hand' ? html` ${mark('by hand')}` : null}</td>
<td class="number" data-label="version">${version}</td><td>${localTime(new Date(publishedAt).toISOString(), settings.timezone)}</td>
<td>${state === 'live' ? html`<a href="${url}" rel="noopener noreferrer">${url}</a>` : html`<a href="${url}" rel="noopener noreferrer">Open the preview</a>`}</td></tr>`

export const stateMark = (state: ListedPage['state']): Markup => mark(state, state === 'live' ? 'good' : 'plain')
