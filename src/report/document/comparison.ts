import { count } from '../../lib/quantities.ts'

/** Below this number a percentage misleads: two leads after one are "1 more", not "100% more". */
const percentFrom = 20

export type Direction = 'up' | 'down' | 'same'

/** How a figure differs from that of the period before. */
export interface Comparison {
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
export const conversion = ({ leads, visits }: { leads: number; visits: number }): number | null =>
  visits === 0 || leads > visits ? null : (leads / visits) * 100

/** `2.7%`. */
export const percentText = (share: number): string => `${share.toFixed(1)}%`

export function comparedShares(now: number, before: number): Comparison {
  const points = Number(now.toFixed(1)) - Number(before.toFixed(1))
  const size = Math.abs(points).toFixed(1)
  if (size === '0.0') return { before, direction: 'same', words: 'the same' }
  const direction = points > 0 ? 'up' : 'down'
  return { before, direction, words: `${size} points ${points > 0 ? 'more' : 'less'}` }
}
