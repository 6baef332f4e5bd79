import type { HeaderRecord } from './answers.ts'
import type { AssetAnswer } from './serve-asset.ts'

export type Surface = AssetAnswer['surface']

/** A preview is private and never indexed, whatever it shows (docs/previews.md). */
export const surfaceHeaders: Record<Surface, HeaderRecord> = {
  live: { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' },
  preview: {
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
  },
}
