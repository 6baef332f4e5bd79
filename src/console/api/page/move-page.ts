import { Type } from '@sinclair/typebox'
import { movePage } from '../../../operations/page/move-page.ts'
import { pageMoved } from '../../audit/changes.ts'
import { publisherOf } from '../../publisher.ts'
import { accountEndpoint } from '../endpoint.ts'
import { knownRevisions } from '../preconditions.ts'
import { stateSchema } from './page-schema.ts'

export const publishPageEndpoint = moving('publish', 'Publish a page that is in preview')
export const unpublishPageEndpoint = moving('unpublish', 'Move a live page back to preview')

/** With `If-Match`, moves the page only at that revision. */
function moving(verb: 'publish' | 'unpublish', summary: string) {
  return accountEndpoint({
    method: 'POST',
    path: `/accounts/:account/pages/:slug/${verb}`,
    summary,
    scope: 'publish',
    clients: 'nothing',
    audited: `page.${verb}`,
    answer: Type.Object({
      account: Type.String(),
      slug: Type.String(),
      id: Type.String(),
      state: stateSchema,
      changed: Type.Boolean(),
      url: Type.String(),
      siteToml: Type.String(),
    }),
    async run({ caller, account, params, request }, box) {
      const state = verb === 'publish' ? 'live' : 'preview'
      const by = publisherOf(caller)
      const known = knownRevisions(request)
      const value = await movePage(box, { account: account.handle, slug: params.slug ?? '', state, by, known })
      return { value, change: pageMoved(value) }
    },
  })
}
