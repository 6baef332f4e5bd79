import { timestamp } from '../../lib/quantities.ts'
import type { Touch } from '../../processing/attribution/touch.ts'

/** Where somebody came from, for people: `newsletter / email, campaign spring, 2026-11-20 14:03:22 UTC, at https://…`. */
export function touchWords(touch: Touch | null): string {
  if (touch === null) return 'none known'
  const { at, source, medium, campaign, url } = touch
  const parts = [
    `${source} / ${medium}`,
    campaign === null ? '' : `campaign ${campaign}`,
    timestamp(Date.parse(at)),
    url === null ? '' : `at ${url}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}
