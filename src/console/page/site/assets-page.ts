import { html } from '../../../lib/html.ts'
import { byteSize } from '../../../lib/quantities.ts'
import type { ListedAsset } from '../../../operations/asset/list-assets.ts'
import { assetsAsked } from '../../api/assets.ts'
import { emptyState, mark } from '../../look/notice.ts'
import { listPage, publishWay } from '../list-page.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { localDayTime } from '../values.ts'

/** `/a/ACCOUNT/assets?use&q&cursor`: the assets, ordered by path; those that no page leads to are marked. */
export const assetsPage: AccountPage = {
  path: '/a/:account/assets',
  link: { group: 'Site', text: 'Assets' },
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
    columns: ({ account: { settings } }) => [
      {
        head: 'Asset',
        cell: ({ path, url }) => (url === null ? path : html`<a href="${url}" rel="noopener noreferrer">${path}</a>`),
      },
      {
        head: 'State',
        cell: ({ state, used }) =>
          html`${mark(state, state === 'live' ? 'good' : 'plain')}${used === true ? null : html` ${used === null ? mark('use unknown') : mark('unused', 'doubtful')}`}`,
      },
      { head: 'Size', kind: 'number', cell: ({ byteCount }) => byteSize(byteCount) },
      { head: 'Published', cell: ({ publishedAt }) => localDayTime(publishedAt, settings.timezone) },
    ],
    empty: (call) =>
      emptyState(
        'No asset yet',
        html`Put stylesheets, scripts and fonts into <code>assets/</code> of the site folder and publish it. A page refers to one as <code>../assets/css/site.css</code>.`,
        publishWay(call),
      ),
    nothing: () => 'No asset matches.',
  }),
}
