import { mergedTexts, textDiff } from '../../lib/text-diff.ts'
import type { PublishedNote } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { keptSiteToml } from './kept-folder.ts'

interface SettingsConflict {
  /** `site.toml` as the box has it now. */
  text: string
  /** What was published since the text was opened, latest first. */
  published: PublishedNote[]
  /** What others have changed, and what the user has; `null`: too much for a list of lines. */
  theirs: string | null
  yours: string | null
  /** A text with both changes; `null`: they concern the same lines. */
  merged: string | null
}

interface Opened {
  /** The handle. */
  account: string
  /** The text as it was opened, and when. */
  opened: string
  openedAt: number
  /** What became of it. */
  text: string
}

const publicationsMax = 20

/** Who changed `site.toml` since a user opened it, what they changed, and what the user did meanwhile. @throws NotThere */
export async function settingsConflict(
  box: Pick<Box, 'accounts' | 'folders' | 'publications'>,
  { account, opened, openedAt, text }: Opened,
): Promise<SettingsConflict> {
  const siteToml = await keptSiteToml(box, account)
  const { id } = await accountNamed(box.accounts, account)
  const latest = await box.publications.read(id, publicationsMax)
  // A publication is dated before it can be seen: the latest may be older than the page.
  const published = latest.filter(({ at }, index) => index === 0 || at >= openedAt)
  return {
    text: siteToml,
    published,
    theirs: textDiff(opened, siteToml),
    yours: textDiff(opened, text),
    merged: mergedTexts({ before: opened, one: siteToml, other: text }),
  }
}
