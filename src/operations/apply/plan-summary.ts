import { plural } from '../../lib/quantities.ts'
import type { AppliedFolder } from './apply-folder.ts'

const words = { create: 'new', update: 'changed', delete: 'removed' } as const

/** `acme: 3 changes (1 new, 2 changed), 1 warning, harm in 2 ways` */
export function planSummary({ account, changes, warnings, harm }: AppliedFolder): string {
  const counts = Object.entries(words).flatMap(([action, word]) => {
    const { length } = changes.filter((change) => change.action === action)
    return length > 0 ? [`${length} ${word}`] : []
  })
  const parts = [
    changes.length === 0 ? 'nothing to change' : `${plural(changes.length, 'change')} (${counts.join(', ')})`,
    ...(warnings.length > 0 ? [plural(warnings.length, 'warning')] : []),
    ...(harm.length > 0 ? [`harm in ${plural(new Set(harm.map(({ kind }) => kind)).size, 'way')}`] : []),
  ]
  return `${account}: ${parts.join(', ')}`
}
