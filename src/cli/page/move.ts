import { type Command, defineCommand } from '../command.ts'

export const pagePublish = moving('publishPage', {
  name: 'page publish',
  summary: 'Makes a page live that was in preview',
})

export const pageUnpublish = moving('unpublishPage', {
  name: 'page unpublish',
  summary: 'Takes a live page back into preview: visitors get 404',
})

function moving(act: 'publishPage' | 'unpublishPage', described: { name: string; summary: string }): Command {
  return defineCommand({
    ...described,
    details: `The next apply restores what the folder says, so stderr has the lines that site.toml needs to keep this change.
--json prints { "account", "slug", "id", "state", "changed": true|false, "url", "siteToml" }.`,
    args: { account: { summary: "the account's handle" }, slug: { summary: "the page's slug or short id" } },
    async run({ args }, session) {
      const acts = await import('../../operations/page/move-page.ts')
      const { answer } = await session.act(acts[act], args)
      const { slug, state, changed, url, siteToml } = answer
      const text = `${slug} ${changed ? 'is now' : 'was already'} ${state}: ${url}`
      return { json: answer, text, notes: changed ? advice(siteToml) : [] }
    },
  })
}

const advice = (siteToml: string): string[] => [
  "The folder is the truth. For the next apply to agree, let the page's entry in site.toml say this (add the entry where",
  'there is none; a `file` line in it stays):',
  ...siteToml.trimEnd().split('\n'),
]
