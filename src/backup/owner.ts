import { newShortId } from '../lib/id.ts'
import { readHead } from './format/bundle.ts'
import {
  type BasePoint,
  type ListedPoint,
  latestName,
  listBases,
  listIncrements,
  ownerName,
  pointNamed,
} from './format/object-names.ts'
import type { BackupSource } from './source.ts'
import { type BackupTarget, ObjectFault, TargetFault } from './target/backup-target.ts'
import type { TargetState, TargetStates } from './target-state.ts'

/** Who writes to a target: the object `owner`. */
interface Owner {
  /** `BackupSource.boxId`. */
  box: string
  /** The history that is being written. */
  history: string
  /** The process that writes increments; of two that run on copies of one folder, the one named here. */
  run: string
}

export interface HoldParts {
  target: BackupTarget
  create: () => Promise<void>
  source: BackupSource
  states: TargetStates
  /** This process; `null`: it writes only a base, beside the process that writes increments. */
  run: string | null
  /** Whether a copy of this box that writes there is gone for good, so that this one may. */
  takesOver?: boolean | undefined
}

/** A target that this box may write to. */
export interface Hold {
  owner: Owner
  /** The latest base that increments may follow; `null`: a base must come first. */
  base: ListedPoint<BasePoint> | null
  /** Whether that base went before contents that it needs, or the box had lost some. */
  isBaseBare: boolean
  /** Where the next increment begins, if there is a base. */
  from: number
  /** The latest instant of anything there, epoch milliseconds. */
  latestAt: number
}

/** Runs that a data folder knows as its own: more than processes of one box ever take over from each other at once. */
const runsMax = 8

/**
 * Becomes the writer of a target, and finds out where to continue. One process of the data folder after the other: two
 * that claim a new target at once would take each other for a copy's.
 *
 * @throws TargetFault, also when another box or copy writes there; ObjectFault
 */
export const holdTarget = (parts: HoldParts): Promise<Hold> =>
  parts.states.exclusively(parts.target.url, () => heldTarget(parts))

async function heldTarget({ target, create, source, states, run, takesOver }: HoldParts): Promise<Hold> {
  const { url } = target
  const known = states.read(url)
  if (known.history === null) await create()
  const remember = (claiming: string): void => {
    states.change(url, (stored) => ({ runs: [...stored.runs, claiming].slice(-runsMax) }))
  }
  const claimed = await claimTarget({ target, box: source.boxId(), run, takesOver, remember }, known)
  const reached = await lastPoint(target, claimed.history)
  // Read after the target was listed: another process of this folder may write increments meanwhile, and notes them before.
  const { writtenAt } = states.read(url)
  // A ledger that ends before its increments do gives out positions that they have already; so does one whose copy wrote them.
  const isForked = source.look('skip').to < reached.to || reached.ownAt > writtenAt
  const owner = isForked ? { ...claimed, history: newShortId() } : claimed
  if (isForked) await target.put(ownerName, encoded(owner))
  states.change(url, () => ({ history: owner.history }))
  if (isForked || reached.base === null) return { owner, base: null, isBaseBare: false, from: 0, latestAt: reached.at }
  const { header } = await readHead(target, reached.base.name, 'base')
  const base = header.schema === source.schema ? reached.base : null
  return { owner, base, isBaseBare: header.missingAssets > 0, from: reached.to, latestAt: reached.at }
}

interface Claimant extends Pick<HoldParts, 'target' | 'run' | 'takesOver'> {
  box: string
  /** Keeps in the data folder that the target may name this run from now on. */
  remember: (run: string) => void
}

/**
 * Makes the box the target's owner, unless another box is, or another copy of this box's data folder.
 *
 * A folder that knows nothing of the target, as a restored one, becomes the owner.
 *
 * @returns the present owner; its history differs from the folder's if a new one begins with a base
 */
async function claimTarget(
  { target, run, takesOver, box, remember }: Claimant,
  { history, runs }: Pick<TargetState, 'history' | 'runs'>,
): Promise<Owner> {
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

interface Reached {
  base: ListedPoint<BasePoint> | null
  at: number
  /** Of the history alone. */
  ownAt: number
  to: number
}

async function lastPoint(target: BackupTarget, history: string): Promise<Reached> {
  const bases = await listBases(target)
  const base = bases.findLast((point) => point.history === history) ?? null
  const reached = { base, at: bases.at(-1)?.at ?? 0, ownAt: base?.at ?? 0, to: base?.to ?? 0 }
  if (base === null) return reached
  for await (const increment of listIncrements(target, base.at)) {
    reached.at = Math.max(reached.at, increment.at)
    if (increment.history !== history) continue
    reached.to = Math.max(reached.to, increment.to)
    reached.ownAt = Math.max(reached.ownAt, increment.at)
  }
  return reached
}

/**
 * @param runs besides the owner's own: processes of the same data folder
 * @throws TargetFault, also when somebody else writes there now
 */
export async function assertOwner(
  target: BackupTarget,
  { box, history, run }: Owner,
  runs: readonly string[] = [],
): Promise<void> {
  const present = await readOwner(target)
  if (present === null) throw notOurs('has lost its object "owner": somebody has emptied it')
  if (present.box !== box) throw foreign
  if (present.history !== history || (present.run !== run && !runs.includes(present.run))) throw copied
}

const notOurs = (message: string) => new TargetFault('refused', message)
const foreign = notOurs('belongs to another box: give each box its own target')
const copied = notOurs(
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

/** `null`: nothing was noted yet, or it cannot be read. @throws TargetFault */
export async function readLatest(target: BackupTarget): Promise<ReturnType<typeof pointNamed>> {
  const bytes = await target.get(latestName)
  return bytes === null ? null : pointNamed(nameIn(new TextDecoder().decode(bytes)))
}

function nameIn(text: string): string {
  try {
    return String(JSON.parse(text).name)
  } catch {
    return ''
  }
}
