import type { StoredAccount } from '../../account/account.ts'
import { matchesTrackingKey } from '../../account/tracking-key.ts'
import type { AssetStore } from '../../asset/asset-store.ts'
import type { KeptFolder } from '../../site/kept-folder.ts'
import type { Box } from '../box.ts'

const keys = /svc_tk_[A-Za-z0-9]{32}/g
/** Pages that are searched, and how much of each. */
const pagesMax = 20
const pageBytesMax = 1_048_576

/** The tracking key in force, where the kept folder has it: the box itself has only its fingerprint. `null`: nobody wrote it there. */
export async function writtenKey(
  { folders, assets, clock }: Pick<Box, 'folders' | 'assets' | 'clock'>,
  { id, trackingKeys }: StoredAccount,
): Promise<string | null> {
  const kept = await folders.read(id)
  const current = trackingKeys.filter(({ validUntil }) => validUntil === null)
  if (kept === null) return null
  for await (const text of textsOf(kept, assets))
    for (const [key] of text.matchAll(keys)) if (matchesTrackingKey(key, current, clock.now())) return key
  return null
}

/** `site.toml`, then the pages. */
async function* textsOf({ siteToml, files }: KeptFolder, assets: AssetStore): AsyncGenerator<string> {
  yield siteToml
  for (const { sha256 } of files.filter(({ path }) => path.endsWith('.html')).slice(0, pagesMax)) {
    const page = await assets.open({ sha256, encoding: 'identity' })
    if (page !== null) yield page.slice(0, pageBytesMax).text()
  }
}
