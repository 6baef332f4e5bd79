import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { leadsWithoutVisit } from '../channels.ts'
import type { FiguresReport, Totals } from '../figures.ts'
import { conversionOf } from '../percent.ts'

/** One of the figures at the top of a report. */
export interface KeyFigure {
  label: string
  /** The value as text; a dash if there is none. */
  value: string
  /** `null`: there is nothing to compare with. */
  comparison: (Comparison & { beforeText: string }) | null
  /** Why there is no value, or what it leaves out; `null`: nothing is to be said. */
  note: string | null
}

/** What goes before the words of a comparison. */
export const arrows = { up: '↑ ', down: '↓ ', same: '' } as const

const dash = '–'

type Counted = Pick<FiguresReport, 'totals' | 'channels'>

/**
 * Clicks only where links were clicked in either period: most accounts have none in their mails.
 *
 * @param before `null`: the previous period was not counted completely
 */
export function keyFigures(now: Counted, before: Counted | null, locale: Locale): KeyFigure[] {
  const { figures } = locale.texts.report
  const figure = (label: string, of: (totals: Totals) => number): KeyFigure =>
    keyFigure(label, { now: of(now.totals), before: before && of(before.totals) }, locale)
  return [
    figure(figures.leads, ({ leads }) => leads),
    conversionFigure(now, before, locale),
    figure(figures.visits, ({ visits }) => visits),
    figure(figures.visitors, ({ visitors }) => visitors),
    figure(figures.views, ({ views }) => views),
    ...([now, before].some(hasClicks) ? [figure(figures.clicks, ({ clicks }) => clicks.human)] : []),
  ]
}

const hasClicks = (counted: Counted | null): boolean =>
  counted !== null && Object.values(counted.totals.clicks).some((count) => count > 0)

function keyFigure(label: string, { now, before }: { now: number; before: number | null }, locale: Locale): KeyFigure {
  const comparison = before === null ? null : { ...compared(now, before, locale), beforeText: locale.count(before) }
  return { label, value: locale.count(now), comparison, note: null }
}

/** Of the leads of visits alone: beside those of all leads, it would tell of visitors whom no table has. */
function conversionFigure(now: Counted, before: Counted | null, locale: Locale): KeyFigure {
  const share = shareOfVisits(now)
  const shareBefore = before && shareOfVisits(before)
  const comparison =
    share === null || shareBefore === null
      ? null
      : { ...comparedShares(share, shareBefore, locale), beforeText: locale.percent(shareBefore) }
  const { conversion: label } = locale.texts.report.figures
  return { label, value: percentText(share, locale), comparison, note: conversionNote(now, locale) }
}

/** `null`: there were no visits, more leads than visits, or leads of which no visit is known. */
function shareOfVisits(counted: Counted): number | null {
  const ofVisits = leadsOfVisits(counted)
  return ofVisits.leads === 0 && counted.totals.leads > 0 ? null : conversionOf(ofVisits)
}

function conversionNote(counted: Counted, locale: Locale): string | null {
  const { figures } = locale.texts.report
  const { visits, leads } = leadsOfVisits(counted)
  if (visits === 0) return figures.noVisits
  if (leads > visits) return figures.moreThanVisits
  const without = leadsWithoutVisit(counted.channels)
  return without === 0 ? null : locale.plural(figures.withoutVisit, without)
}

/** Channels are known by whole days only: of a part of a day, the same share of its leads had a visit. */
function leadsOfVisits({ totals: { visits, leads }, channels }: Counted): { visits: number; leads: number } {
  const ofWholeDays = channels.entryPages.reduce((sum, row) => sum + row.leads, 0)
  const without = ofWholeDays === 0 ? 0 : leadsWithoutVisit(channels) / ofWholeDays
  return { visits, leads: leads * (1 - without) }
}

/** Below this number a percentage misleads: two leads after one are "1 more", not "100% more". */
const percentFrom = 20

type Direction = 'up' | 'down' | 'same'

/** How a figure differs from that of the period before. */
interface Comparison {
  before: number
  direction: Direction
  /** `12% more`, `3 fewer`, `as many`, `none now`. */
  words: string
}

export function compared(now: number, before: number, locale: Locale): Comparison {
  const direction = now === before ? 'same' : now > before ? 'up' : 'down'
  return { before, direction, words: wordsFor(now, before, locale) }
}

function wordsFor(now: number, before: number, locale: Locale): string {
  const { change } = locale.texts.report
  if (now === before) return now === 0 ? change.noneInBoth : change.same
  if (before === 0) return change.noneBefore
  if (now === 0) return change.noneNow
  return filled(now > before ? change.more : change.fewer, { amount: amountOf(now, before, locale) })
}

/** `3`, `12%`, `under 1%`. */
function amountOf(now: number, before: number, locale: Locale): string {
  const difference = Math.abs(now - before)
  if (before < percentFrom) return locale.count(difference)
  const percent = Math.round((difference / before) * 100)
  if (percent > 0) return locale.wholePercent(percent)
  return filled(locale.texts.report.change.underPercent, { percent: locale.wholePercent(1) })
}

/** `2.7%`; a dash: of nothing. */
export const percentText = (share: number | null, locale: Locale): string =>
  share === null ? dash : locale.percent(share)

function comparedShares(now: number, before: number, locale: Locale): Comparison {
  const { change } = locale.texts.report
  const points = now - before
  const size = Number(Math.abs(points).toFixed(1))
  if (size === 0) return { before, direction: 'same', words: change.sameShare }
  const direction = points > 0 ? 'up' : 'down'
  const words = filled(points > 0 ? change.pointsMore : change.pointsLess, { points: locale.decimal(size) })
  return { before, direction, words }
}
