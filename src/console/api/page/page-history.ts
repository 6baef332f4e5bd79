import { Type } from '@sinclair/typebox'
import { pageHistory } from '../../../operations/page/page-history.ts'
import { pageHistoryJson } from '../../../operations/page/page-json.ts'
import { pageRevision } from '../../../operations/page/page-revision.ts'
import { accountEndpoint } from '../endpoint.ts'
import { etagOf } from '../preconditions.ts'
import { count, pageState as state, text } from '../schema.ts'
import { publishedBy } from './page-schema.ts'

export const pageHistoryEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/pages/:slug/history',
  summary: 'Read the stored versions of a page, latest first',
  scope: 'read',
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
    return { value: pageHistoryJson(history), headers: { etag: etagOf(revision) } }
  },
})
