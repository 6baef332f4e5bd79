import { type Static, Type } from '@sinclair/typebox'
import { count, flag, orNull, text, textOrNull, texts } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { publishedAssets } from '../apply/published-assets.ts'
import type { Box } from '../box.ts'
import { pageState } from '../page/page-acts.ts'
import type { AssetUse } from './asset-use.ts'

/** An asset as lists show it. `usedBy`: the pages that lead to it; like `used`, `null` where nobody knows, since the
 * site is too large to search or bytes are missing. */
export const listedAssetSchema = Type.Object({
  path: text,
  id: text,
  state: pageState,
  byteCount: count,
  publishedAt: text,
  used: orNull(flag),
  usedBy: orNull(texts),
  url: textOrNull,
})
export type ListedAsset = Static<typeof listedAssetSchema>

/** The assets of an account, in order of their paths. @throws NotThere when there is no account of that handle */
export async function listAssets(
  box: Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'> & { assetUse: AssetUse },
  handle: string,
): Promise<ListedAsset[]> {
  const account = await accountNamed(box.accounts, handle)
  const published = await box.catalogue.assets(account.id)
  const shown = await publishedAssets(box, account, { assets: published, host: account.settings.domains[0] })
  const pagesOf = shown.assets.length === 0 ? null : await box.assetUse.pagesOf(published)
  const currentOf = new Map(published.map(({ id, current }) => [id, current]))
  const listed = shown.assets.map(({ name: path, id, state, url }) => {
    const { byteCount = 0, publishedAt = 0 } = currentOf.get(id) ?? {}
    const usedBy = pagesOf && [...(pagesOf.get(id) ?? [])].sort()
    const used = usedBy && usedBy.length > 0
    return { path, id, state, byteCount, publishedAt: new Date(publishedAt).toISOString(), used, usedBy, url }
  })
  return listed.sort((one, other) => (one.path < other.path ? -1 : 1))
}
