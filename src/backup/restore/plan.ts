import {
  type BasePoint,
  erasuresName,
  type IncrementPoint,
  type ListedPoint,
  latestName,
  listBases,
  listIncrements,
} from '../format/object-names.ts'
import { readLatest } from '../owner.ts'
import { type BackupTarget, ObjectFault } from '../target/backup-target.ts'

/** The objects from which a moment is restored (docs/decisions/0058). */
export interface RestorePlan {
  base: ListedPoint<BasePoint>
  /** In order of time. Empty: the base is enough. */
  increments: ListedPoint<IncrementPoint>[]
  at: number
  /** Bundles with every erasure up to now, in order. They apply to every moment. */
  erasures: string[]
  /** The newest object, if it is missing and told of erasures; `latest`, if nobody knows which object is the newest. */
  erasuresMissing: string | null
}

/** There is nothing to restore. `message` completes "The target …". */
export class NothingThere extends Error {}

/**
 * @param until epoch milliseconds; `null`: the latest moment
 * @throws NothingThere; ObjectFault when an increment is missing that the moment needs; TargetFault
 */
export async function planRestore(target: BackupTarget, until: number | null): Promise<RestorePlan> {
  // Read before the objects are listed: a box may be writing more of them.
  const noted = await readLatest(target)
  const bases = await listBases(target)
  const oldest = bases[0]
  if (oldest === undefined) throw new NothingThere('holds no base')
  const base = bases.findLast(({ at }) => until === null || at <= until)
  if (base === undefined) {
    throw new NothingThere(`has no base that old: its oldest is of ${new Date(oldest.at).toISOString()}`)
  }
  const latest = bases.at(-1) ?? base
  const behind: ListedPoint<IncrementPoint>[] = []
  const erasures = [erasuresName(latest.name)]
  for await (const point of listIncrements(target, base.at)) {
    if (until !== null && point.at > until) break
    if (point.history === base.history) behind.push(point)
  }
  let newest: ListedPoint<BasePoint | IncrementPoint> = latest
  for await (const increment of listIncrements(target, latest.at)) {
    newest = increment
    if (increment.hasErasures) erasures.push(increment.name)
  }
  // Read again: a box may have put its first base meanwhile.
  const isUntold = noted === null && (await readLatest(target)) === null
  if (isUntold && until === null)
    throw new ObjectFault(
      newest.name,
      `may not be the newest one: ${latestName}, which names it, is missing or damaged. ${goesUpTo(newest.at)}`,
    )
  const missing = noted !== null && noted.at > newest.at ? noted : null
  if (missing !== null && (until === null || until >= missing.at))
    throw new ObjectFault(
      latestName,
      `names ${missing.name} as the newest one, and that is missing. ${goesUpTo(newest.at)}`,
    )
  const increments = await neededOf(target, base, behind)
  const at = increments.at(-1)?.at ?? base.at
  const untold = isUntold ? latestName : null
  const erasuresMissing = missing?.kind === 'increment' && missing.hasErasures ? missing.name : untold
  return { base, increments, at, erasures, erasuresMissing }
}

const goesUpTo = (at: number): string => `What is there goes up to --until ${new Date(at).toISOString()}`

/** Increments with entries that the base lacks, and the complete chain of the last one. @throws ObjectFault */
async function neededOf(
  target: BackupTarget,
  base: BasePoint,
  behind: ListedPoint<IncrementPoint>[],
): Promise<ListedPoint<IncrementPoint>[]> {
  const last = behind.at(-1)
  // A base takes a while to write; it includes what was put before its copy was made.
  if (last === undefined || last.to < base.to) return []
  const chain = await chainOf(target, base, last)
  let reached = base.to
  const entries = behind.filter((point) => {
    if (point.from > reached) throw new ObjectFault(point.name, missingBefore(point.from, reached))
    const isNew = point.to > reached
    reached = Math.max(reached, point.to)
    return isNew && point.chain !== last.chain
  })
  return [...entries, ...chain].sort((one, other) => one.at - other.at)
}

const missingBefore = (from: number, reached: number): string =>
  `begins after position ${from} of the ledger, and the increment before it, from ${reached} on, is missing`

const dayMs = 86_400_000

/** A chain up to its last increment. It may begin before the base. @throws ObjectFault if a part of it is missing */
async function chainOf(
  target: BackupTarget,
  base: BasePoint,
  last: ListedPoint<IncrementPoint>,
): Promise<ListedPoint<IncrementPoint>[]> {
  let chain: ListedPoint<IncrementPoint>[] = []
  for (const behind of [base.at, base.at - 2 * dayMs, undefined]) {
    chain = []
    for await (const point of listIncrements(target, behind)) {
      if (point.chain === last.chain && point.at <= last.at) chain.push(point)
    }
    if (chain[0]?.number === 0) break
  }
  for (const [index, { name, number }] of chain.entries()) {
    if (number !== index) throw new ObjectFault(name, `follows number ${index} of its chain, which is missing`)
  }
  return chain
}
