import type { StoredAccount } from '../../account/account.ts'
import type { Split } from '../../account/split.ts'
import { localDay, startOfDay } from '../../lib/local-day.ts'
import type { Measure } from '../../processing/figures/measures.ts'
import { type SplitFigures, splitReport } from '../../report/splits.ts'
import type { Box } from '../box.ts'
import { caughtUp } from '../record/catch-up.ts'
import { overviewDays } from './overview-reader.ts'

/** What an account's pages and forms brought of late, today included. */
export interface RecentCounts {
  leadsOfForm(id: string): number
  viewsOfPage(slug: string): number
  /** Leads of visitors who arrived on the page, at whichever of the account's domains. */
  leadsOfPage(slug: string): number
  /** What each version of a split page brought, and what that says. */
  splitOf(split: Split): SplitFigures
}

/** Of the days that the overview shows, after waiting records were processed. */
export async function recentCounts(
  { id, settings: { timezone, home } }: StoredAccount,
  { figures, clock, processing }: Pick<Box, 'figures' | 'clock' | 'processing'>,
): Promise<RecentCounts> {
  await caughtUp(processing, () => {})
  const fromDay = localDay(clock.now(), timezone) - overviewDays + 1
  const { byName } = await figures.read(id, { fromDay, fromAt: startOfDay(fromDay, timezone), until: null })
  const counts = new Map(byName.map(({ measure, name, count }) => [`${measure} ${name}`, count]))
  const of = (measure: Measure, name: string) => counts.get(`${measure} ${name}`) ?? 0
  return {
    leadsOfForm: (id) => of('lead', id),
    viewsOfPage: (slug) => of('page', slug),
    leadsOfPage: (slug) => of('lead_page', `/${slug}`) + (slug === home ? of('lead_page', '/') : 0),
    splitOf: (split) => splitReport(split, { countOf: of, sinceOf: () => null }),
  }
}
