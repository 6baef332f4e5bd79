import type { AssetState } from '../../asset/asset.ts'
import { type Command, defineCommand } from '../command.ts'
import { commandPublisher } from '../input/typing-user.ts'

export const pagePublish = moving('live', {
  name: 'page publish',
  summary: 'Makes a page live that was in preview',
})

export const pageUnpublish = moving('preview', {
  name: 'page unpublish',
  summary: 'Takes a live page back into preview: visitors get 404',
})

function moving(state: AssetState, described: { name: string; summary: string }): Command {
  return defineCommand({
    ...described,
    details: `The folder is the truth: the lines that site.toml needs, so that the next apply agrees, are printed on stderr.
--json prints { "account", "slug", "id", "state", "changed": true|false, "url", "siteToml" }.`,
    args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
    async run({ args }, session) {
      const { pageMoved } = await import('../../console/audit/changes.ts')
      const { movePage } = await import('../../operations/page/move-page.ts')
      const act = {
        action: state === 'live' ? ('page.publish' as const) : ('page.unpublish' as const),
        account: args.account,
        subject: args.slug,
        change: pageMoved,
      }
      const by = commandPublisher(session)
      const page = await session.withBox((box) => movePage(box, { ...args, state, by }), act)
      const { slug, changed, url, siteToml } = page
      const text = `${slug} ${changed ? 'is now' : 'was already'} ${state}: ${url}`
      return { json: page, text, notes: changed ? advice(siteToml) : [] }
    },
  })
}

const advice = (siteToml: string): string[] => [
  "The folder is the truth. For the next apply to agree, let the page's entry in site.toml say this (add the entry where",
  'there is none; a `file` line in it stays):',
  ...siteToml.trimEnd().split('\n'),
]
