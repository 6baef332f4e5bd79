import { Type } from '@sinclair/typebox'
import { listPages } from '../../../operations/page/list-pages.ts'
import { listedPagesJson } from '../../../operations/page/page-json.ts'
import { pageOf } from '../cursor.ts'
import { accountList } from '../list.ts'
import { count, pageState as state, text } from '../schema.ts'
import { publishedBy } from './page-schema.ts'

export const listPagesEndpoint = accountList({
  path: '/accounts/:account/pages',
  summary: 'List landing pages, ordered by slug',
  scope: 'read',
  item: Type.Object({ slug: text, id: text, state, version: count, publishedAt: text, publishedBy, url: text }),
  columns: ['slug', 'id', 'state', 'version', 'publishedAt', 'publishedBy', 'url'],
  async read({ account, query }, box) {
    const { pages } = listedPagesJson(await listPages(box, account.handle))
    return pageOf(pages, query, { key: ({ slug }) => slug, texts: ({ slug, id, state }) => [slug, id, state] })
  },
})
