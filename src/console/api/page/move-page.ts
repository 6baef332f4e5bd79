import { Type } from '@sinclair/typebox'
import { movePage } from '../../../operations/page/move-page.ts'
import { pageMoved } from '../../audit/changes.ts'
import { publisherOf } from '../../publisher.ts'
import { accountEndpoint } from '../endpoint.ts'
import { knownRevisions } from '../preconditions.ts'
import { stateSchema } from './page-schema.ts'

export const publishPageEndpoint = moving('publish', 'Make a page live that was in preview')
export const unpublishPageEndpoint = moving('unpublish', 'Take a live page back into preview')

/** With `If-Match`, only the page of that revision is moved. */
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
