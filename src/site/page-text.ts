import { severalAtOnce } from '../lib/several-at-once.ts'
import type { FolderAsset } from './folder-asset.ts'
import { assetBytesMax } from './limits.ts'
import type { SiteFault } from './site-faults.ts'
import { firstLineNotUtf8 } from './utf8-lines.ts'

/** Pages read at once. */
const pagesAtOnce = 8

/** The faults of pages that are not UTF-8. Pages that are too large or cannot be read have faults of their own. */
export async function pagesNotUtf8(assets: FolderAsset[]): Promise<SiteFault[]> {
  const pages = assets.filter(({ kind, byteCount }) => kind === 'page' && byteCount <= assetBytesMax.page)
  const faults = await severalAtOnce(pages, pagesAtOnce, async (page) => {
    const bytes = await Bun.file(page.file)
      .bytes()
      .catch(() => null)
    return bytes === null ? [] : notUtf8(page, bytes)
  })
  return faults.flat()
}

/** The fault of a page whose bytes are not UTF-8 text; none if they are. */
export function notUtf8({ shown }: FolderAsset, bytes: Uint8Array): SiteFault[] {
  const line = firstLineNotUtf8(bytes)
  return line === null ? [] : [{ file: shown, line, key: null, message }]
}

const message =
  'is not UTF-8, but every page is served as UTF-8: letters like ä and é would be garbled. Save it as UTF-8 (from Windows-1252: iconv -f WINDOWS-1252 -t UTF-8)'
