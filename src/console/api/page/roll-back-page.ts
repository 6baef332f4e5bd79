import { Type } from '@sinclair/typebox'
import { rolledBackPageJson } from '../../../operations/page/page-json.ts'
import { rollBackPage } from '../../../operations/page/roll-back-page.ts'
import { pageRolledBack } from '../../audit/changes.ts'
import { publisherOf } from '../../publisher.ts'
import { accountEndpoint } from '../endpoint.ts'
import { knownRevisions } from '../preconditions.ts'
import { stateSchema } from './page-schema.ts'

/** With `If-Match`, rolls back the page only at that revision. */
export const rollBackPageEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/pages/:slug/rollback',
  summary: 'Publish an earlier version of a page',
  scope: 'publish',
  clients: 'nothing',
  audited: 'page.rollback',
  body: Type.Object(
    { to: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])) },
    { additionalProperties: false },
  ),
  answer: Type.Object({
    account: Type.String(),
    slug: Type.String(),
    id: Type.String(),
    state: stateSchema,
    version: Type.Integer(),
    rolledBackTo: Type.Integer(),
    sha256: Type.String(),
    url: Type.String(),
  }),
  async run({ caller, account, params, body: { to = null }, request }, box) {
    const wanted = { account: account.handle, slug: params.slug ?? '', to }
    const page = await rollBackPage(box, { ...wanted, by: publisherOf(caller), known: knownRevisions(request) })
    return { value: rolledBackPageJson(page), change: pageRolledBack(page) }
  },
})
