import type { HeaderRecord } from './answers.ts'
import type { AssetAnswer } from './serve-asset.ts'

export type Surface = AssetAnswer['surface']

/** A preview is private and never indexed, whatever it shows (docs/previews.md). */
const preview: HeaderRecord = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  // Its address is a secret: other hosts may learn only its origin.
  'referrer-policy': 'strict-origin-when-cross-origin',
}

export const surfaceHeaders: Record<Surface, HeaderRecord> = {
  live: {
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    // Images and files are for other websites too, also for those that let in nothing that does not say so.
    'cross-origin-resource-policy': 'cross-origin',
  },
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
