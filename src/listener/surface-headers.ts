import type { HeaderRecord } from './answers.ts'
import type { AssetAnswer } from './serve-asset.ts'

export type Surface = AssetAnswer['surface']

/** A preview is private and never indexed, whatever it shows (docs/previews.md). */
const preview: HeaderRecord = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
}

export const surfaceHeaders: Record<Surface, HeaderRecord> = {
  live: { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' },
  preview,
  /**
   * A page on the host of all previews, whose origin it must not have: another account's page could then read what it stores.
   * `allow-same-origin` is what is left out. What a page opens is a window of its own, as it would be from the live page.
   */
  sandboxed: {
    ...preview,
    'content-security-policy':
      'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts',
  },
}
