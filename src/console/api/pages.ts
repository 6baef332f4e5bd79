import { Type } from '@sinclair/typebox'
import { count, oneOf, text, textOrNull } from '../../lib/schema.ts'
import { publishPage, rollBackPage, pageState as state, unpublishPage } from '../../operations/page/page-acts.ts'
import { listedPagesJson, listPages, pageHistory, pageHistoryJson } from '../../operations/page/pages.ts'
import { previewLink } from '../../operations/page/preview-link.ts'
import { promotePage } from '../../operations/page/promote-page.ts'
import { accountEndpoint, actEndpoint, etagOf } from './endpoint.ts'
import { accountList, pageOf } from './list.ts'

const publishedBy = oneOf(['apply', 'hand'])

export const listPagesEndpoint = accountList({
  path: '/accounts/:account/pages',
  summary: 'List landing pages, ordered by slug',
  scope: 'read',
  item: Type.Object({
    ...{ slug: text, id: text, version: count, state, publishedBy, url: text },
    ...{ liveFrom: textOrNull, liveUntil: textOrNull, publishedAt: text },
  }),
  columns: ['slug', 'id', 'state', 'version', 'liveFrom', 'liveUntil', 'publishedAt', 'publishedBy', 'url'],
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
        liveFrom: textOrNull,
        liveUntil: textOrNull,
        publishedAt: text,
        publishedBy,
        byteCount: count,
        sha256: text,
      }),
    ),
  }),
  async run({ account, params }, box) {
    const history = await pageHistory(box, { account: account.handle, slug: params.slug ?? '' })
    return { value: pageHistoryJson(history), headers: etagOf(history.revision) }
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

export const promotePageEndpoint = actEndpoint(promotePage, {
  method: 'POST',
  path: `${path}/promote`,
  sends: 'body',
  ifMatch: 'optional',
})

export const previewEndpoint = actEndpoint(previewLink, {
  method: 'POST',
  path: '/accounts/:account/preview',
  sends: 'body',
})
