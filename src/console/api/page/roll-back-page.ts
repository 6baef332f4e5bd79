import { Type } from '@sinclair/typebox'
import { rolledBackPageJson } from '../../../operations/page/page-json.ts'
import { rollBackPage } from '../../../operations/page/roll-back-page.ts'
import { pageRolledBack } from '../../audit/changes.ts'
import { accountEndpoint } from '../endpoint.ts'
import { closed, count, orNull, pageState as state, text } from '../schema.ts'
import { changed } from './move-page.ts'

export const rollBackPageEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/pages/:slug/rollback',
  summary: 'Publish an earlier version of a page',
  scope: 'publish',
  audited: 'page.rollback',
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
