import type { listPages } from './list-pages.ts'
import type { PageHistory } from './page-history.ts'

type ListedPages = Awaited<ReturnType<typeof listPages>>

/** As `page list --json` and the API show it. */
export const listedPagesJson = ({ account, pages }: ListedPages) => ({
  account,
  pages: pages.map(({ publishedAt, ...page }) => ({
    ...page,
    publishedAt: new Date(publishedAt).toISOString(),
  })),
})

/** As `page history --json` and the API show it. */
export const pageHistoryJson = ({ account, slug, id, current, versions }: PageHistory) => ({
  account,
  slug,
  id,
  versions: versions.map(({ number, state, publishedAt, publishedBy, byteCount, sha256 }) => ({
    version: number,
    current: number === current,
    state,
    publishedAt: new Date(publishedAt).toISOString(),
    publishedBy,
    byteCount,
    sha256,
  })),
})
