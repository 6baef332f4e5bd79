import type { Destination } from '../account/destination.ts'
import type { Change } from './change.ts'
import type { FolderDestination } from './destinations.ts'

/** A destination that a publication writes. */
export interface DestinationPublication {
  destination: Destination
  /** A webhook's secret, `whsec_…`; `null`: unchanged. */
  secret: string | null
}

interface DestinationPlan {
  changes: Change[]
  written: DestinationPublication[]
  /** Names of destinations that are no longer in the folder. */
  removed: string[]
  /** New secrets, to be printed once. */
  minted: { name: string; secret: string }[]
}

interface Planning {
  known: readonly Destination[]
  /** The resulting forms, to replace names by ids. */
  forms: readonly { id: string; name: string }[]
  mintSecret: () => string
}

/** Removal needs no `--prune`: a destination that is not in the folder must not get personal data. */
export function planDestinations(
  folder: readonly Pick<FolderDestination, 'destination' | 'secret'>[],
  planning: Planning,
): DestinationPlan {
  const { known, forms, mintSecret } = planning
  const plan: DestinationPlan = { changes: [], written: [], removed: [], minted: [] }
  for (const { destination: written, secret: given } of folder) {
    const destination = withFormIds(written, forms)
    const { name, kind } = destination
    const before = known.find((other) => other.name === name)
    if (before !== undefined && Bun.deepEquals(before, destination)) continue
    const isNew = before?.kind !== kind
    const minted = isNew && kind === 'webhook' && given === null ? mintSecret() : null
    if (minted !== null) plan.minted.push({ name, secret: minted })
    plan.written.push({ destination, secret: given ?? minted })
    plan.changes.push({ action: before === undefined ? 'create' : 'update', kind: 'delivery', name, note: kind })
  }
  for (const { name, kind } of known) {
    if (folder.some(({ destination }) => destination.name === name)) continue
    plan.removed.push(name)
    plan.changes.push({ action: 'delete', kind: 'delivery', name, note: kind })
  }
  return plan
}

function withFormIds(destination: Destination, forms: Planning['forms']): Destination {
  if (destination.kind === 'report' || destination.kind === 'reply' || destination.forms === null) return destination
  const idOf = (form: string): string =>
    forms.find(({ id }) => id === form)?.id ?? forms.find(({ name }) => name === form)?.id ?? form
  return { ...destination, forms: destination.forms.map(idOf) }
}
