import type { Attribution } from '../../ledger/entry.ts'

/** What an address says of the campaign it stands in; nothing of this, where it has another parameter, as `utm_id`. */
export interface Campaign {
  /** Lower-case. */
  source: string | null
  /** Lower-case. */
  medium: string | null
  name: string | null
  term: string | null
  content: string | null
}

/** Characters kept of a campaign parameter. */
export const campaignCharsMax = 200

/** The `utm_` parameters of an address; `null`: it has none that say anything. */
export function statedCampaign(attribution: Attribution): Campaign | null {
  const source = stated(attribution.utm_source?.toLowerCase())
  const medium = stated(attribution.utm_medium?.toLowerCase())
  const name = stated(attribution.utm_campaign)
  const term = stated(attribution.utm_term)
  const content = stated(attribution.utm_content)
  const isStated = (source ?? medium ?? name ?? term ?? content) !== null || hasOther(attribution)
  return isStated ? { source, medium, name, term, content } : null
}

/** Whoever wrote any such parameter into an address led there by it: its visit is not direct. */
function hasOther(attribution: Attribution): boolean {
  for (const name in attribution) if (name.startsWith('utm_') && stated(attribution[name]) !== null) return true
  return false
}

/** What is cut in the middle of a character would be no text any more. */
const stated = (value: string | undefined): string | null =>
  value?.trim().slice(0, campaignCharsMax).trim().toWellFormed() || null
