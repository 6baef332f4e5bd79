import type { AssetState } from '../../asset/asset.ts'
import { movePage } from '../../operations/page/move-page.ts'
import type { ExitStatus } from '../command.ts'
import { toJson } from '../output/json.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'

export interface PageMove {
  account: string
  slug: string
  state: AssetState
  json: boolean
}

/** `page publish` and `page unpublish`. */
export async function runMove({ json, ...move }: PageMove, session: Session): Promise<ExitStatus> {
  const page = await withBox(session, (box) => movePage(box, move))
  const { slug, state, changed, url, siteToml } = page
  await session.out.write(json ? toJson(page) : `${slug} ${changed ? 'is now' : 'was already'} ${state}: ${url}\n`)
  if (changed) session.err.write(advice(siteToml))
  return 0
}

const advice = (siteToml: string): string =>
  `The folder is the truth. For the next apply to agree, let the page's entry in site.toml say this (add the entry where
there is none; a \`file\` line in it stays):
${siteToml}`
