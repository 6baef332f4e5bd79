import { readHead } from './format/bundle-reader.ts'
import type { BasePoint } from './format/object-names.ts'
import type { ListedPoint } from './format/points.ts'
import { listBases, listIncrements } from './format/points.ts'
import { beginHistory, claimTarget, type Owner } from './owner.ts'
import type { BackupSource } from './source.ts'
import type { BackupTarget } from './target/backup-target.ts'
import type { TargetStates } from './target-state.ts'

export interface HoldParts {
  target: BackupTarget
  /** Makes the place of a target that this box uses for the first time. */
  create: () => Promise<void>
  source: Pick<BackupSource, 'boxId' | 'look' | 'schema'>
  states: TargetStates
  /** This process; `null`: it writes a base alone, beside whoever writes increments. */
  run: string | null
}

/** A target that this box may write to. */
export interface Hold {
  owner: Owner
  /** The latest base that increments may follow; `null`: there is none, so a base comes first. */
  base: ListedPoint<BasePoint> | null
  /** Where the next increment begins, if there is a base. */
  from: number
  /** The latest instant of anything there, epoch milliseconds. */
  latestAt: number
}

/**
 * Becomes the writer of a target, and finds out where to go on.
 *
 * @throws NotOurs, TargetFault, ObjectFault
 */
export async function holdTarget({ target, create, source, states, run }: HoldParts): Promise<Hold> {
  const state = states.read(target.url)
  if (state.history === null) await create()
  const claimed = await claimTarget(target, { box: source.boxId(), history: state.history, run })
  const reached = await lastPoint(target, claimed.history)
  // A ledger that ends before its increments do gives out positions that they have already.
  const isBehind = source.look('skip').to < reached.to
  const owner = isBehind ? await beginHistory(target, claimed) : claimed
  states.write({ ...state, history: owner.history })
  if (isBehind || reached.base === null) return { owner, base: null, from: 0, latestAt: reached.at }
  const { header } = await readHead(target, reached.base.name, 'base')
  const base = header.schema === source.schema ? reached.base : null
  return { owner, base, from: reached.to, latestAt: reached.at }
}

interface Reached {
  base: ListedPoint<BasePoint> | null
  at: number
  to: number
}

/** How far a history has come. */
async function lastPoint(target: BackupTarget, history: string): Promise<Reached> {
  const bases = await listBases(target)
  const base = bases.findLast((point) => point.history === history) ?? null
  const reached = { base, at: bases.at(-1)?.at ?? 0, to: base?.to ?? 0 }
  if (base === null) return reached
  for await (const increment of listIncrements(target, base.at)) {
    if (increment.history === history) reached.to = Math.max(reached.to, increment.to)
    reached.at = Math.max(reached.at, increment.at)
  }
  return reached
}
