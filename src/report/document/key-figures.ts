import { count } from '../../lib/quantities.ts'
import type { Totals } from '../figures.ts'

/** One of the figures at the top of a report. */
export interface KeyFigure {
  label: string
  /** The value as text; a dash if there is none. */
  value: string
  /** `null`: there is nothing to compare with. */
  comparison: (Comparison & { beforeText: string }) | null
  /** Why there is no value; `null`: there is one. */
  missing: string | null
}

/** What goes before the words of a comparison. */
export const arrows = { up: '↑ ', down: '↓ ', same: '' } as const

const dash = '–'

/** @param before `null`: the previous period was not counted completely */
export function keyFigures(now: Totals, before: Totals | null): KeyFigure[] {
  const figure = (label: string, of: (totals: Totals) => number | null, missing: string | null = null): KeyFigure =>
    keyFigure(label, of(now), before && of(before), missing)
  return [
    figure('Visitors', ({ visitors }) => visitors, 'The records to count them have been deleted.'),
    figure('Visits', ({ visits }) => visits),
    figure('Page views', ({ views }) => views),
    figure('Leads', ({ leads }) => leads),
    conversionFigure(now, before),
    figure('Human clicks', ({ clicks }) => clicks.human),
  ]
}

function keyFigure(label: string, now: number | null, before: number | null, missing: string | null): KeyFigure {
  if (now === null) return { label, value: dash, comparison: null, missing }
  const comparison = before === null ? null : { ...compared(now, before), beforeText: count(before) }
  return { label, value: count(now), comparison, missing: null }
}

function conversionFigure(now: Totals, before: Totals | null): KeyFigure {
  const label = 'Conversion'
  const share = conversion(now)
  if (share === null) return { label, value: dash, comparison: null, missing: noConversion(now) }
  const shareBefore = before && conversion(before)
  const comparison =
    shareBefore === null ? null : { ...comparedShares(share, shareBefore), beforeText: percentText(shareBefore) }
  return { label, value: percentText(share), comparison, missing: null }
}

const noConversion = ({ visits }: Totals): string =>
  visits === 0 ? 'There were no visits.' : 'Leads came from pages whose visits are not counted here.'

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

export function compared(now: number, before: number): Comparison {
  const direction = now === before ? 'same' : now > before ? 'up' : 'down'
  return { before, direction, words: wordsFor(now, before) }
}

function wordsFor(now: number, before: number): string {
  if (now === before) return now === 0 ? 'none in both' : 'as many'
  if (before === 0) return 'none before'
  if (now === 0) return 'none now'
  const more = now > before
  const difference = Math.abs(now - before)
  if (before < percentFrom) return `${count(difference)} ${more ? 'more' : 'fewer'}`
  const percent = Math.round((difference / before) * 100)
  return `${percent === 0 ? 'under 1' : count(percent)}% ${more ? 'more' : 'fewer'}`
}

/** Leads per hundred visits. `null`: nobody visited, or leads came without a visit that is counted here. */
const conversion = ({ leads, visits }: { leads: number; visits: number }): number | null =>
  visits === 0 || leads > visits ? null : (leads / visits) * 100

/** `2.7%`; a dash: of nothing. */
export const percentText = (share: number | null): string => (share === null ? dash : `${share.toFixed(1)}%`)

function comparedShares(now: number, before: number): Comparison {
  const points = Number(now.toFixed(1)) - Number(before.toFixed(1))
  const size = Math.abs(points).toFixed(1)
  if (size === '0.0') return { before, direction: 'same', words: 'the same' }
  const direction = points > 0 ? 'up' : 'down'
  return { before, direction, words: `${size} points ${points > 0 ? 'more' : 'less'}` }
}
