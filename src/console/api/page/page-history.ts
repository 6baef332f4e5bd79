import { Type } from '@sinclair/typebox'
import { pageHistory } from '../../../operations/page/page-history.ts'
import { pageHistoryJson } from '../../../operations/page/page-json.ts'
import { pageRevision } from '../../../operations/page/page-revision.ts'
import { accountEndpoint } from '../endpoint.ts'
import { etagOf } from '../preconditions.ts'
import { publishedBySchema, stateSchema } from './page-schema.ts'

export const pageHistoryEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/pages/:slug/history',
  summary: 'Read the stored versions of a page, latest first',
  scope: 'read',
  clients: 'nothing',
  answer: Type.Object({
    account: Type.String(),
    slug: Type.String(),
    id: Type.String(),
    versions: Type.Array(
      Type.Object({
        version: Type.Integer(),
        current: Type.Boolean(),
        state: stateSchema,
        publishedAt: Type.String(),
        publishedBy: publishedBySchema,
        byteCount: Type.Integer(),
        sha256: Type.String(),
      }),
    ),
  }),
  async run({ account, params }, box) {
    const history = await pageHistory(box, { account: account.handle, slug: params.slug ?? '' })
    const revision = pageRevision({ id: history.id, current: { number: history.current } })
    return { value: pageHistoryJson(history), headers: { etag: etagOf(revision) } }
  },
})
