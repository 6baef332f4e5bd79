import type { AssetKind } from '../../asset/asset.ts'

/** What a preview address shows beside the test page, as commands and the API name it. */
export const previewKinds = { page: 'page', img: 'image', file: 'file' } as const satisfies Record<string, AssetKind>

/** Anyone with the address can see the page. A year is enough for any review. */
export const previewTtlMsMax = 366 * 86_400_000
