import { html, type Markup } from '../../../lib/html.ts'
import { byteSize, count } from '../../../lib/quantities.ts'
import type { ListedAsset } from '../../../operations/asset/list-assets.ts'
import { assetsAsked } from '../../api/assets.ts'
import { emptyState, mark } from '../../look/notice.ts'
import { listPage, publishWay } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { localDayTime } from '../values.ts'

/** `/a/ACCOUNT/assets?use&q&cursor`: the assets, ordered by path; those that no page leads to are marked. */
export const assetsPage: AccountPage = {
  path: '/a/:account/assets',
  link: { group: 'Site', text: 'Assets', icon: 'picture' },
  scope: 'read',
  ...listPage<ListedAsset, AccountPageCall>({
    title: 'Assets',
    api: '/assets',
    shownMax: 50,
    filter: {
      label: 'Which assets',
      name: 'use',
      choices: [
        ['all', 'All'],
        ['unused', 'Unused'],
      ],
    },
    read: ({ account }, box, asked, chosen) =>
      assetsAsked(box, account.handle, { ...asked, isUnused: chosen === 'unused' }),
    columns: ({ account: { handle, settings } }) => [
      {
        head: 'Asset',
        cell: ({ path, state }) => html`${path}${state === 'live' ? null : html` ${mark(state)}`}`,
      },
      { head: 'Size', kind: 'number', cell: ({ byteCount }) => byteSize(byteCount) },
      { head: 'Published', cell: ({ publishedAt }) => localDayTime(publishedAt, settings.timezone) },
      { head: 'Used', kind: 'wrap', cell: ({ usedBy }) => usedByText(usedBy, handle) },
      {
        head: 'Open',
        isUnseen: true,
        kind: 'end',
        cell: ({ path, url }) =>
          url === null
            ? null
            : html`<a href="${url}" rel="noopener noreferrer">Open<span class="unseen"> ${path}</span></a>`,
      },
    ],
    empty: (call) =>
      emptyState(
        'No asset yet',
        html`Put stylesheets, scripts and fonts into <code>assets/</code> of the site folder and publish it. A page refers to one as <code>../assets/css/site.css</code>.`,
        publishWay(call),
      ),
    way: publishWay,
    nothing: () => 'No asset matches.',
    note: (assets, call) =>
      assets.every(({ used }) => used !== false) || !may(call, 'publish')
        ? null
        : html`To remove a file that no page uses, delete it from <code>assets/</code> of the site folder and publish the folder; before you do, choose to remove it here, too.`,
  }),
}

const pagesShown = 3

/** The pages that lead to an asset; of many, the first. */
function usedByText(pages: ListedAsset['usedBy'], handle: string): Markup {
  if (pages === null) return html`<span class="soft">not known where</span>`
  if (pages.length === 0) return html`<span class="soft">not used</span>`
  const more = pages.length - pagesShown
  return html`on ${pages.slice(0, pagesShown).map((page, place) => html`${place === 0 ? null : ', '}${pageLink(page, handle)}`)}${more > 0 ? html` and ${count(more)} more` : null}`
}

/** `pages/404.html` has no address, and no page here. */
const pageLink = (page: string, handle: string): Markup =>
  page === '404' ? html`404.html` : html`<a href="/a/${handle}/pages/${page}">/${page}</a>`
