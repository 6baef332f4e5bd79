import type { Attribution } from '../../ledger/entry.ts'

/**
 * What an address says about its campaign. All fields are `null` where it only has some other parameter, such as
 * `utm_id`.
 */
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

/** The `utm_` parameters of an address; `null` if none of them has a value. */
export function statedCampaign(attribution: Attribution): Campaign | null {
  const source = stated(attribution.utm_source?.toLowerCase())
  const medium = stated(attribution.utm_medium?.toLowerCase())
  const name = stated(attribution.utm_campaign)
  const term = stated(attribution.utm_term)
  const content = stated(attribution.utm_content)
  const isStated = (source ?? medium ?? name ?? term ?? content) !== null || hasOther(attribution)
  return isStated ? { source, medium, name, term, content } : null
}

/** Whether there is any other `utm_` parameter: such a visit is not direct, since somebody tagged its address. */
function hasOther(attribution: Attribution): boolean {
  for (const name in attribution) if (name.startsWith('utm_') && stated(attribution[name]) !== null) return true
  return false
}

/** Cutting in the middle of a surrogate pair would leave invalid text. */
const stated = (value: string | undefined): string | null =>
  value?.trim().slice(0, campaignCharsMax).trim().toWellFormed() || null
