import { count } from '../../lib/quantities.ts'
import { type Harm, harmKinds } from '../../site/harm.ts'

import { shellLine } from '../data-folder/data-owner.ts'

/** What an apply was called with, as far as it is repeated. */
export interface AskedApply {
  dir: string
  prune: boolean
  strict: boolean
  to?: string
}

/** Of a kind; `--json` has them all. */
const shownMax = 10

/** Each harm, and what to do instead. Lines to paste stand alone. @param max of a kind */
export function harmLines(harm: readonly Harm[], max = shownMax): string[] {
  return harmKinds.flatMap((kind) => {
    const ofKind = harm.filter((found) => found.kind === kind)
    const more = ofKind.length - max
    return [...ofKind.slice(0, max).flatMap(linesOf), ...(more > 0 ? [`harm: ${kind}: … and ${count(more)} more`] : [])]
  })
}

const linesOf = ({ kind, subject, message }: Harm): string[] => `harm: ${kind} ${subject}: ${message}`.split('\n')

/** The command that publishes all the same. */
export function consentCommand(harm: readonly Harm[], { dir, prune, strict, to }: AskedApply): string {
  const kinds = harmKinds.filter((kind) => harm.some((found) => found.kind === kind))
  const words = [
    ...['capture', 'apply', dir],
    ...(to === undefined ? [] : ['--to', to]),
    ...(prune ? ['--prune'] : []),
    ...(strict ? ['--strict'] : []),
    ...['--accept', kinds.join()],
  ]
  return `To publish all the same: \`${shellLine(words)}\``
}
