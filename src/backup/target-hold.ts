import { readHead } from './format/bundle.ts'
import type { BasePoint, ListedPoint } from './format/object-names.ts'
import { listBases, listIncrements } from './format/object-names.ts'
import { beginHistory, claimTarget, type Owner } from './owner.ts'
import type { BackupSource } from './source.ts'
import type { BackupTarget } from './target/backup-target.ts'
import type { TargetStates } from './target-state.ts'

export interface HoldParts {
  target: BackupTarget
  /** Makes the folder of a target that this box uses for the first time. */
  create: () => Promise<void>
  source: Pick<BackupSource, 'boxId' | 'look' | 'schema'>
  states: TargetStates
  /** This process; `null`: it writes only a base, beside the process that writes increments. */
  run: string | null
  /** Whether a copy of this box that writes there is gone for good, so that this one may. */
  takesOver?: boolean
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
 * @throws NotOurs, TargetFault, ObjectFault
 */
export const holdTarget = (parts: HoldParts): Promise<Hold> =>
  parts.states.exclusively(parts.target.url, () => heldTarget(parts))

async function heldTarget({ target, create, source, states, run, takesOver = false }: HoldParts): Promise<Hold> {
  const { url } = target
  const { history, runs } = states.read(url)
  if (history === null) await create()
  const remember = (claiming: string): void => {
    states.change(url, (stored) => ({ runs: [...stored.runs, claiming].slice(-runsMax) }))
  }
  const claimed = await claimTarget(target, { box: source.boxId(), history, runs, run, takesOver, remember })
  const reached = await lastPoint(target, claimed.history)
  // Read after the target was listed: another process of this folder may write increments meanwhile, and notes them before.
  const { writtenAt } = states.read(url)
  // A ledger that ends before its increments do gives out positions that they have already; so does one whose copy wrote them.
  const isForked = source.look('skip').to < reached.to || reached.ownAt > writtenAt
  const owner = isForked ? await beginHistory(target, claimed) : claimed
  states.change(url, () => ({ history: owner.history }))
  if (isForked || reached.base === null) return { owner, base: null, isBaseBare: false, from: 0, latestAt: reached.at }
  const { header } = await readHead(target, reached.base.name, 'base')
  const base = header.schema === source.schema ? reached.base : null
  return { owner, base, isBaseBare: header.missingAssets > 0, from: reached.to, latestAt: reached.at }
}

interface Reached {
  base: ListedPoint<BasePoint> | null
  at: number
  /** Of the history alone. */
  ownAt: number
  to: number
}

/** The end of a history. */
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
