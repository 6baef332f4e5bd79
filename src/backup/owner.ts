import { newShortId } from '../lib/id.ts'
import { ObjectFault } from './format/bundle-header.ts'
import { ownerName } from './format/object-names.ts'
import type { BackupTarget } from './target/backup-target.ts'

/** Who writes to a target: the object `owner`. */
export interface Owner {
  /** `BackupSource.boxId`. */
  box: string
  /** The history that is being written. */
  history: string
  /** The process that writes increments; of two that run on copies of one folder, the later one does. */
  run: string
}

/** Another box writes to the target, or another copy of this one. `message` completes "The target …". */
export class NotOurs extends Error {}

interface Claimant {
  box: string
  /** The history that this data folder has written there; `null`: none. */
  history: string | null
  /** `null`: writes a base and nothing after it, and so lets another process go on. */
  run: string | null
}

/**
 * Makes the box the target's owner, unless another one is.
 *
 * @returns the owner as it is now; its history differs from the claimant's if a new one begins, with a base
 * @throws NotOurs, TargetFault
 */
export async function claimTarget(target: BackupTarget, { box, history, run }: Claimant): Promise<Owner> {
  const fresh = { box, history: newShortId(), run: run ?? newShortId() }
  const present = await readOwner(target)
  if (present === null) {
    await target.putNew(ownerName, encoded(fresh))
    // Read again: services that ignore the condition of `putNew` let the last one win.
    const owner = await readOwner(target)
    if (owner?.box !== box) throw foreign
    return owner
  }
  if (present.box !== box) throw foreign
  const isKnown = present.history === history
  if (isKnown && (run === null || present.run === run)) return present
  const owner = isKnown ? { ...present, run: run ?? present.run } : fresh
  await target.put(ownerName, encoded(owner))
  return owner
}

/** Begins a new history at a target of this box, because the present one cannot be continued. */
export async function beginHistory(target: BackupTarget, owner: Owner): Promise<Owner> {
  const next = { ...owner, history: newShortId() }
  await target.put(ownerName, encoded(next))
  return next
}

/** @throws NotOurs when somebody else writes there now, TargetFault */
export async function assertOwner(target: BackupTarget, { box, history, run }: Owner): Promise<void> {
  const present = await readOwner(target)
  if (present === null) throw new NotOurs('has lost its object "owner": somebody has emptied it')
  if (present.box !== box) throw foreign
  if (present.history !== history || present.run !== run)
    throw new NotOurs('is written by another copy of this box, which was started later')
}

const foreign = new NotOurs('belongs to another box: give each box a target of its own')

const encoded = (owner: Owner): Uint8Array => new TextEncoder().encode(`${JSON.stringify(owner)}\n`)

/** `null`: nobody has written there yet. @throws ObjectFault when it is unreadable */
export async function readOwner(target: BackupTarget): Promise<Owner | null> {
  const bytes = await target.get(ownerName)
  if (bytes === null) return null
  try {
    const { box, history, run } = JSON.parse(new TextDecoder().decode(bytes))
    if ([box, history, run].every((part) => typeof part === 'string')) return { box, history, run }
  } catch {
    // Said below.
  }
  throw new ObjectFault(ownerName, 'is damaged')
}
