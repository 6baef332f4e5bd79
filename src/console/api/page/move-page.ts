import { Type } from '@sinclair/typebox'
import { movePage } from '../../../operations/page/move-page.ts'
import { pageMoved } from '../../audit/changes.ts'
import { publisherOf } from '../../publisher.ts'
import { type AccountCall, accountEndpoint } from '../endpoint.ts'
import { knownRevisions } from '../preconditions.ts'
import { pageState as state, text } from '../schema.ts'

/** The page to change; with `If-Match`, only at that revision. */
export const changed = ({ account, caller, params, request }: AccountCall) => ({
  account: account.handle,
  slug: params.slug ?? '',
  by: publisherOf(caller),
  known: knownRevisions(request),
})

const moving = (verb: 'publish' | 'unpublish', summary: string) =>
  accountEndpoint({
    method: 'POST',
    path: `/accounts/:account/pages/:slug/${verb}`,
    summary,
    scope: 'publish',
    audited: `page.${verb}`,
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
