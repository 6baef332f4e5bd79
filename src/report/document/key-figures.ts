import { count } from '../../lib/quantities.ts'
import type { Totals } from '../figures.ts'
import { type Comparison, compared, comparedShares, conversion, percentText } from './comparison.ts'

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
