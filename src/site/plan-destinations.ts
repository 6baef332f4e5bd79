import { type Destination, isChat } from '../account/destination.ts'
import type { Change } from './change.ts'
import { writtenDestination } from './comparison/as-written.ts'
import { changedFields } from './comparison/fields.ts'
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
  mintSecret: () => string
}

/** Removal needs no `--prune`: a destination that is not in the folder must not get personal data. */
export function planDestinations(
  folder: readonly Pick<FolderDestination, 'destination' | 'secret'>[],
  { known, mintSecret }: Planning,
): DestinationPlan {
  const plan: DestinationPlan = { changes: [], written: [], removed: [], minted: [] }
  for (const { destination, secret: given } of folder) {
    const { name, kind } = destination
    const before = known.find((other) => other.name === name)
    if (before !== undefined && Bun.deepEquals(before, destination)) continue
    const isNew = before?.kind !== kind
    const minted = isNew && kind === 'webhook' && given === null ? mintSecret() : null
    if (minted !== null) plan.minted.push({ name, secret: minted })
    plan.written.push({ destination, secret: given ?? minted })
    plan.changes.push({
      action: before === undefined ? 'create' : 'update',
      kind: 'delivery',
      name,
      note: kind,
      fields: before === undefined ? [] : destinationFields(before, destination),
    })
  }
  for (const { name, kind } of known) {
    if (folder.some(({ destination }) => destination.name === name)) continue
    plan.removed.push(name)
    plan.changes.push({ action: 'delete', kind: 'delivery', name, note: kind, fields: [] })
  }
  return plan
}

/** The address of a chat is a secret too. */
const destinationFields = (before: Destination, after: Destination) =>
  changedFields(writtenDestination(before), writtenDestination(after), [
    'secret',
    ...([before, after].some(({ kind }) => isChat(kind)) ? ['url'] : []),
  ])
