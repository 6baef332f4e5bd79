import { newShortId } from '../lib/id.ts'
import { ObjectFault } from './format/bundle.ts'
import { latestName, ownerName, pointNamed } from './format/object-names.ts'
import { type BackupTarget, TargetFault } from './target/backup-target.ts'

/** Who writes to a target: the object `owner`. */
export interface Owner {
  /** `BackupSource.boxId`. */
  box: string
  /** The history that is being written. */
  history: string
  /** The process that writes increments; of two that run on copies of one folder, the one named here. */
  run: string
}

/** Another box writes to the target, or another copy of this one. `message` completes "The target …". */
class NotOurs extends Error {}

interface Claimant {
  box: string
  /** The history that this data folder has written at the target; `null`: none. */
  history: string | null
  /** `TargetState.runs` */
  runs: readonly string[]
  /** `null`: writes a base and nothing after it, so that another process can continue. */
  run: string | null
  /** Makes a copy of this box the owner that is not: the other one is gone for good. */
  takesOver: boolean
  /** Keeps in the data folder that the target may name this run from now on. */
  remember: (run: string) => void
}

/**
 * Makes the box the target's owner, unless another box is, or another copy of this box's data folder.
 *
 * A folder that knows nothing of the target, as a restored one, becomes the owner.
 *
 * @returns the present owner; its history differs from the claimant's if a new one begins with a base
 * @throws NotOurs, TargetFault
 */
export async function claimTarget(target: BackupTarget, claimant: Claimant): Promise<Owner> {
  const { box, history, runs, run, takesOver, remember } = claimant
  const fresh = { box, history: newShortId(), run: run ?? newShortId() }
  const present = await readOwner(target)
  if (present === null) {
    remember(fresh.run)
    await target.putNew(ownerName, encoded(fresh))
    // Read again: with services that ignore the condition of `putNew`, the last writer wins.
    const owner = await readOwner(target)
    if (owner?.box !== box) throw foreign
    return owner
  }
  if (present.box !== box) throw foreign
  const isContinued = present.history === history && runs.includes(present.run)
  if (history !== null && !runs.includes(present.run) && !takesOver) throw copied
  if (isContinued && (run === null || present.run === run)) return present
  const owner = isContinued ? { ...present, run: run ?? present.run } : fresh
  remember(owner.run)
  await target.put(ownerName, encoded(owner))
  return owner
}

/** Begins a new history at a target of this box, because the present one cannot be continued. */
export async function beginHistory(target: BackupTarget, owner: Owner): Promise<Owner> {
  const next = { ...owner, history: newShortId() }
  await target.put(ownerName, encoded(next))
  return next
}

/**
 * @param runs besides the owner's own: processes of the same data folder
 * @throws NotOurs when somebody else writes there now, TargetFault
 */
export async function assertOwner(
  target: BackupTarget,
  { box, history, run }: Owner,
  runs: readonly string[] = [],
): Promise<void> {
  const present = await readOwner(target)
  if (present === null) throw new NotOurs('has lost its object "owner": somebody has emptied it')
  if (present.box !== box) throw foreign
  if (present.history !== history || (present.run !== run && !runs.includes(present.run))) throw copied
}

const foreign = new NotOurs('belongs to another box: give each box its own target')
const copied = new NotOurs(
  'is written by another copy of this box: let only one of them run. If the other one is gone for good, run `capture backup now --take-over` here',
)

const encoded = (owner: Owner): Uint8Array => new TextEncoder().encode(`${JSON.stringify(owner)}\n`)

/** `null`: nobody has written to the target yet. @throws ObjectFault when the object is unreadable */
async function readOwner(target: BackupTarget): Promise<Owner | null> {
  const bytes = await target.get(ownerName)
  if (bytes === null) return null
  try {
    const { box, history, run } = JSON.parse(new TextDecoder().decode(bytes))
    if ([box, history, run].every((part) => typeof part === 'string')) return { box, history, run }
  } catch {
    // Reported below.
  }
  throw new ObjectFault(ownerName, 'is damaged')
}

/** Why a backup failed, as the end of a sentence that begins with "The target …"; `null`: it is a bug. */
export function faultWords(error: unknown): string | null {
  if (error instanceof TargetFault || error instanceof NotOurs) return error.message
  if (error instanceof ObjectFault) return `has a damaged object: ${error.object} ${error.message}`
  return null
}

/**
 * The object `latest` names the newest base or increment. Nothing else tells when that one is gone: an older moment would be
 * restored, and whoever was erased in it would be back.
 */
export const noteLatest = (target: BackupTarget, name: string): Promise<void> =>
  target.put(latestName, new TextEncoder().encode(`${JSON.stringify({ name })}\n`))

/** The same for a base, beside which increments may have been written. */
export async function noteLatestBase(target: BackupTarget, base: { name: string; at: number }): Promise<void> {
  const noted = await readLatest(target)
  if (noted === null || noted.at < base.at) await noteLatest(target, base.name)
}

/** `null`: nothing was noted yet. @throws ObjectFault, TargetFault */
export async function readLatest(target: BackupTarget): Promise<NonNullable<ReturnType<typeof pointNamed>> | null> {
  const bytes = await target.get(latestName)
  if (bytes === null) return null
  const point = pointNamed(nameIn(new TextDecoder().decode(bytes)))
  if (point === null) throw new ObjectFault(latestName, 'is damaged')
  return point
}

function nameIn(text: string): string {
  try {
    return String(JSON.parse(text).name)
  } catch {
    return ''
  }
}
