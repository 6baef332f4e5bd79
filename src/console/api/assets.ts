import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import { type ListedAsset, listAssets, listedAssetSchema } from '../../operations/asset/list-assets.ts'
import type { ConsoleBox } from '../console-box.ts'
import { accountList, type ListAsked, pageOf } from './list.ts'

export const listAssetsEndpoint = accountList({
  path: '/accounts/:account/assets',
  summary: 'List assets, ordered by path, each with its size and whether a page leads to it',
  scope: 'read',
  query: Type.Object({ use: Type.Optional(oneOf(['unused'])) }),
  item: listedAssetSchema,
  columns: ['path', 'id', 'state', 'byteCount', 'publishedAt', 'used', 'url'],
  read: ({ account, query }, box) => assetsAsked(box, account.handle, { ...query, isUnused: query.use === 'unused' }),
})

export async function assetsAsked(
  box: ConsoleBox,
  handle: string,
  { isUnused, ...asked }: ListAsked & { isUnused: boolean },
) {
  const all: ListedAsset[] = await listAssets(box, handle)
  const wanted = isUnused ? all.filter(({ used }) => used === false) : all
  return pageOf(wanted, asked, { key: ({ path }) => path, texts: ({ path, id }) => [path, id] })
}
