import { html, type Markup } from '../../../lib/html.ts'
import { type ListedPage, listPages } from '../../../operations/page/list-pages.ts'
import { pageOf } from '../../api/cursor.ts'
import { mark } from '../../look/notice.ts'
import { listPage } from '../list-page.ts'
import { localTime } from '../local-time.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'

/** `/a/ACCOUNT/pages?q&cursor`: the landing pages, ordered by slug. */
export const pagesPage: AccountPage = {
  of: 'account',
  path: '/a/:account/pages',
  link: { group: 'Site', text: 'Pages' },
  scope: 'read',
  ...listPage<ListedPage, AccountPageCall>({
    title: 'Pages',
    api: '/pages',
    shownMax: 50,
    async read({ account }, box, asked) {
      const { pages } = await listPages(box, account.handle)
      return pageOf(pages, asked, { key: ({ slug }) => slug, texts: ({ slug, id }) => [slug, id] })
    },
    columns: ({ account: { handle, settings } }) => [
      { head: 'Page', cell: ({ slug }) => html`<a class="slug" href="/a/${handle}/pages/${slug}">${slug}</a>` },
      {
        head: 'State',
        cell: ({ state, publishedBy }) =>
          html`${stateMark(state)}${publishedBy === 'hand' ? html` ${mark('by hand')}` : null}`,
      },
      { head: 'Version', kind: 'number', label: true, cell: ({ version }) => version },
      {
        head: 'Published',
        cell: ({ publishedAt }) => localTime(new Date(publishedAt).toISOString(), settings.timezone),
      },
      {
        head: 'Address',
        cell: ({ state, url }) =>
          html`<a href="${url}" rel="noopener noreferrer">${state === 'live' ? url : 'Open the preview'}</a>`,
      },
    ],
    empty: html`<p>No page yet. Put HTML files into <code>pages/</code> of the site folder and publish it:
<code>pages/launch.html</code> becomes <code>/launch</code>.</p>`,
    nothing: () => 'No page has this in its name.',
  }),
}

export const stateMark = (state: ListedPage['state']): Markup => mark(state, state === 'live' ? 'good' : 'plain')
