import { assetsFolder } from '../asset/stored-name.ts'
import { readNames } from './format/bundle.ts'
import {
  assetListName,
  type BasePoint,
  basesFolder,
  bundleOf,
  incrementsFolder,
  listBases,
  listIncrements,
  pointNamed,
} from './format/object-names.ts'
import type { BackupTarget } from './target/backup-target.ts'

const dayMs = 86_400_000
/** Contents are kept at least this long, because an object that names them may still be written. */
const unreferencedMsMin = 7 * dayMs

export interface SweepWanted {
  now: number
  keepMs: number
  baseEveryMs: number
  /** Hashes of the contents that the box names now. */
  hashes: Iterable<string>
}

interface Swept {
  bases: number
  increments: number
  contents: number
}

/**
 * Deletes what no kept moment needs (docs/decisions/0058, "Deleting").
 *
 * @throws ObjectFault if the needs of a kept base are unknown; then no content was deleted
 */
export async function sweep(target: BackupTarget, wanted: SweepWanted): Promise<Swept> {
  const bases = await listBases(target)
  const horizon = wanted.now - wanted.keepMs
  const kept = bases.filter(({ at }, index) => at >= horizon || index === bases.length - 1)
  const first = kept[0]
  if (first === undefined) return { bases: 0, increments: 0, contents: 0 }
  return {
    bases: await sweepBases(target, new Set(kept.map(({ name }) => name)), wanted.now),
    increments: await sweepIncrements(target, first),
    contents: await sweepContents(target, kept, wanted),
  }
}

/** Deletes bases that are not kept, their heads first, and parts of unfinished bases. */
async function sweepBases(target: BackupTarget, kept: ReadonlySet<string>, now: number): Promise<number> {
  const heads: string[] = []
  const others: string[] = []
  for await (const { name, at } of target.list(basesFolder)) {
    const base = bundleOf(name).replace(/\.(?:assets|erasures)$/, '')
    if (kept.has(base)) continue
    if (pointNamed(name) !== null) heads.push(name)
    else if (heads.includes(base) || now - at > unreferencedMsMin) others.push(name)
  }
  for (const name of [...heads, ...others]) await target.delete(name)
  return heads.length
}

/** Deletes increments before the first kept base, except those of the chain that was being written when the base was made. */
async function sweepIncrements(target: BackupTarget, first: BasePoint): Promise<number> {
  const chain = await chainAfter(target, first)
  let swept = 0
  for await (const { name } of target.list(incrementsFolder)) {
    const point = pointNamed(bundleOf(name))
    if (point?.kind !== 'increment') continue
    if (point.at >= first.at) break
    if (point.chain === chain) continue
    await target.delete(name)
    swept++
  }
  return swept
}

async function chainAfter(target: BackupTarget, { at }: BasePoint): Promise<string | null> {
  for await (const { chain } of listIncrements(target, at)) return chain
  return null
}

async function sweepContents(target: BackupTarget, kept: readonly BasePoint[], wanted: SweepWanted): Promise<number> {
  const named = new Set<string>()
  for (const { name } of kept) for (const content of await readNames(target, assetListName(name))) named.add(content)
  const live = new Set(wanted.hashes)
  const ageMin = Math.max(unreferencedMsMin, wanted.keepMs + wanted.baseEveryMs)
  let swept = 0
  for await (const { name, at } of target.list(assetsFolder)) {
    const content = bundleOf(name).slice(assetsFolder.length)
    const isNeeded = named.has(content) || live.has(content.split('.', 1)[0] ?? '')
    if (isNeeded || wanted.now - at <= ageMin) continue
    await target.delete(name)
    swept++
  }
  return swept
}
