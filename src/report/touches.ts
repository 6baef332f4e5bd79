import { Type } from '@sinclair/typebox'
import { anything, orNull } from '../lib/schema.ts'
import type { Touch } from '../processing/attribution/touch.ts'
import type { Column } from './csv.ts'
import { cellText } from './csv.ts'

const touch = Type.Unsafe<Touch>(anything)

/** First and last touch of a submission or a person. */
export const touches = Type.Object({ first: orNull(touch), last: orNull(touch) })

/** The most useful columns first: readers group by source. */
const names = ['source', 'medium', 'campaign', 'term', 'content', 'at', 'via', 'referrer', 'url', 'clickIds'] as const

export const touchColumns = (['first', 'last'] as const).flatMap((which) =>
  names.map(
    (name): Column<{ attribution: { first: Touch | null; last: Touch | null } }> => ({
      header: `attribution.${which}.${name}`,
      cell: ({ attribution }) => cellText(attribution[which]?.[name] ?? null),
    }),
  ),
)
