import type { AssetStore } from '../../asset/asset-store.ts'
import { damagedBytes } from '../../asset/sound-bytes.ts'
import { plural } from '../../lib/quantities.ts'
import { damagedAssets } from '../asset/damaged-assets.ts'
import { type CheckResult, fault, ok } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

const missingShown = 3

/** Checks that the contents in the database exist in the asset store. */
export async function examinePresence(
  database: Pick<DatabaseInspector, 'contents'>,
  store: Pick<AssetStore, 'open'>,
): Promise<CheckResult> {
  const missing: string[] = []
  let looked = 0
  let absent = 0
  for (const sha256 of database.contents()) {
    looked++
    if ((await store.open({ sha256, encoding: 'identity' })) !== null) continue
    absent++
    if (missing.length < missingShown) missing.push(sha256)
  }
  if (absent === 0)
    return ok('contents', `${plural(looked, 'published content')} ${looked === 1 ? 'is' : 'are'} there.`)
  const more = absent > missing.length ? ', …' : ''
  return fault(
    'contents',
    `${plural(absent, 'published content')} of ${looked} missing in assets/: ${missing.join(', ')}${more}.`,
    'Apply the site folders that have it: `capture apply DIR` stores it again. If no site folder has the file, restore it from a backup.',
    { act: 'publish_again' },
  )
}

/** Reads and hashes all published content, including compressed variants. */
export async function examineContents(
  database: Pick<DatabaseInspector, 'contents' | 'publishedAs'>,
  store: Pick<AssetStore, 'open'>,
): Promise<CheckResult> {
  const damaged = await Array.fromAsync(damagedBytes(database.contents(), store))
  if (damaged.length === 0) return ok('bytes', 'All published contents that are there are as they were published.')
  const { found, advice } = damagedAssets(damaged, database.publishedAs)
  return fault('bytes', found, advice, { act: 'publish_again' })
}
