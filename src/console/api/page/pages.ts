import { Type } from '@sinclair/typebox'
import { closed, count, oneOf, orNull, text } from '../../../lib/schema.ts'
import { listPages } from '../../../operations/page/list-pages.ts'
import { movePage } from '../../../operations/page/move-page.ts'
import { pageHistory } from '../../../operations/page/page-history.ts'
import { listedPagesJson, pageHistoryJson, rolledBackPageJson } from '../../../operations/page/page-json.ts'
import { pageRevision } from '../../../operations/page/page-revision.ts'
import { rollBackPage } from '../../../operations/page/roll-back-page.ts'
import { pageMoved, pageRolledBack } from '../../audit/changes.ts'
import { publisherOf } from '../../publisher.ts'
import { pageOf } from '../cursor.ts'
import { type AccountCall, accountEndpoint } from '../endpoint.ts'
import { pageState as state } from '../folder/apply-schema.ts'
import { accountList } from '../list.ts'
import { etagOf } from '../preconditions.ts'

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

/** The page to change; with `If-Match`, only at that revision. */
const changed = ({ account, caller, params, known }: AccountCall) => ({
  account: account.handle,
  slug: params.slug ?? '',
  by: publisherOf(caller),
  known,
})

const moving = (verb: 'publish' | 'unpublish', summary: string) =>
  accountEndpoint({
    method: 'POST',
    path: `/accounts/:account/pages/:slug/${verb}`,
    summary,
    scope: 'publish',
    audited: `page.${verb}`,
    ifMatch: 'optional',
    answer: Type.Object({
      account: text,
      slug: text,
      id: text,
      state,
      changed: Type.Boolean(),
      url: text,
      siteToml: text,
    }),
    async run(call, box) {
      const value = await movePage(box, { ...changed(call), state: verb === 'publish' ? 'live' : 'preview' })
      return { value, change: pageMoved(value) }
    },
  })

export const publishPageEndpoint = moving('publish', 'Publish a page that is in preview')

export const unpublishPageEndpoint = moving('unpublish', 'Move a live page back to preview')

export const rollBackPageEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/pages/:slug/rollback',
  summary: 'Publish an earlier version of a page',
  scope: 'publish',
  audited: 'page.rollback',
  ifMatch: 'optional',
  body: closed({ to: Type.Optional(orNull(Type.Integer({ minimum: 1 }))) }),
  answer: Type.Object({
    account: text,
    slug: text,
    id: text,
    state,
    version: count,
    rolledBackTo: count,
    sha256: text,
    url: text,
  }),
  async run(call, box) {
    const page = await rollBackPage(box, { ...changed(call), to: call.body.to ?? null })
    return { value: rolledBackPageJson(page), change: pageRolledBack(page) }
  },
})
