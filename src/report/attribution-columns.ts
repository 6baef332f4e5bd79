import type { Touch } from '../processing/attribution/touch.ts'
import { cellText } from './cell-text.ts'
import type { Column } from './csv.ts'

interface Attributed {
  attribution: { first: Touch | null; last: Touch | null }
}

/** The most useful columns first: readers group by source. */
const keys = ['source', 'medium', 'campaign', 'term', 'content', 'at', 'via', 'referrer', 'url', 'clickIds'] as const

const columnsOf = (which: 'first' | 'last'): Column<Attributed>[] =>
  keys.map((key) => ({
    header: `attribution.${which}.${key}`,
    cell: ({ attribution }) => cellText(attribution[which]?.[key] ?? null),
  }))

/** First and last touch, one column per field. */
export const attributionColumns: Column<Attributed>[] = [...columnsOf('first'), ...columnsOf('last')]
