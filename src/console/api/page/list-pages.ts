import { Type } from '@sinclair/typebox'
import { listPages } from '../../../operations/page/list-pages.ts'
import { listedPagesJson } from '../../../operations/page/page-json.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { publishedBySchema, stateSchema } from './page-schema.ts'

export const listPagesEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/pages',
  summary: 'List landing pages, ordered by slug',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(
    Type.Object({
      slug: Type.String(),
      id: Type.String(),
      state: stateSchema,
      version: Type.Integer(),
      publishedAt: Type.String(),
      publishedBy: publishedBySchema,
      url: Type.String(),
    }),
  ),
  async run({ account, query, request }, box) {
    const { pages } = listedPagesJson(await listPages(box, account.handle))
    const page = pageOf(pages, query, { key: ({ slug }) => slug, texts: ({ slug, id, state }) => [slug, id, state] })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'slug', cell: ({ slug }) => slug },
      { header: 'id', cell: ({ id }) => id },
      { header: 'state', cell: ({ state }) => state },
      { header: 'version', cell: ({ version }) => String(version) },
      { header: 'publishedAt', cell: ({ publishedAt }) => publishedAt },
      { header: 'publishedBy', cell: ({ publishedBy }) => publishedBy },
      { header: 'url', cell: ({ url }) => url },
    ])
  },
})
