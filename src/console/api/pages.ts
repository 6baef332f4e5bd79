import { Type } from '@sinclair/typebox'
import { count, oneOf, text } from '../../lib/schema.ts'
import { publishPage, rollBackPage, pageState as state, unpublishPage } from '../../operations/page/page-acts.ts'
import { listedPagesJson, listPages, pageHistory, pageHistoryJson, pageRevision } from '../../operations/page/pages.ts'
import { previewLink } from '../../operations/page/preview-link.ts'
import { accountEndpoint, actEndpoint, etagOf } from './endpoint.ts'
import { accountList, pageOf } from './list.ts'

const publishedBy = oneOf(['apply', 'hand'])

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

export const pageHistoryEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/pages/:slug/history',
  summary: 'Read the stored versions of a page, latest first',
  scope: 'read',
  answersETag: true,
  answer: Type.Object({
    account: text,
    slug: text,
    id: text,
    versions: Type.Array(
      Type.Object({
        version: count,
        current: Type.Boolean(),
        state,
        publishedAt: text,
        publishedBy,
        byteCount: count,
        sha256: text,
      }),
    ),
  }),
  async run({ account, params }, box) {
    const history = await pageHistory(box, { account: account.handle, slug: params.slug ?? '' })
    const revision = pageRevision({ id: history.id, current: { number: history.current } })
    return { value: pageHistoryJson(history), headers: etagOf(revision) }
  },
})

const path = '/accounts/:account/pages/:slug'

export const publishPageEndpoint = actEndpoint(publishPage, {
  method: 'POST',
  path: `${path}/publish`,
  ifMatch: 'optional',
})

export const unpublishPageEndpoint = actEndpoint(unpublishPage, {
  method: 'POST',
  path: `${path}/unpublish`,
  ifMatch: 'optional',
})

export const rollBackPageEndpoint = actEndpoint(rollBackPage, {
  method: 'POST',
  path: `${path}/rollback`,
  sends: 'body',
  ifMatch: 'optional',
})

export const previewEndpoint = actEndpoint(previewLink, {
  method: 'POST',
  path: '/accounts/:account/preview',
  sends: 'body',
})
