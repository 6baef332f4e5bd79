import type { DailyFigures } from '../../src/report/figures.ts'

/** Of a day or a time in which nothing happened. */
export const noFigures: Readonly<DailyFigures> = {
  visits: 0,
  visitors: 0,
  views: 0,
  viewsByBots: 0,
  events: 0,
  eventsByBots: 0,
  leads: 0,
  likelyDuplicates: 0,
  clicks: { human: 0, suspected: 0, machine: 0 },
  refused: 0,
  lostPageViews: 0,
}
