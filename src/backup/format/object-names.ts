import type { BackupTarget, StoredObject } from '../target/backup-target.ts'

/** A moment that can be restored, read from an object's name. */
interface Point {
  name: string
  at: number
  /** Changes whenever the ledger may not continue the previous one: after a restore, or in a copied folder. */
  history: string
}

export interface BasePoint extends Point {
  kind: 'base'
  /** The last position of the ledger in it. Positions grow in the order of commit. */
  to: number
}

export interface IncrementPoint extends Point {
  kind: 'increment'
  /** The increment has the ledger's entries after `from` up to `to`, which may be equal. */
  from: number
  to: number
  /** Increments of one chain have the changes of the state since the previous one; the first has the whole state. */
  chain: string
  /** 0 for the first of its chain. */
  number: number
  /** Whether an entry is about an erasure. */
  hasErasures: boolean
}

export const ownerName = 'owner'
export const latestName = 'latest'
export const basesFolder = 'bases/'
export const incrementsFolder = 'increments/'

const time = String.raw`(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z`
const basePattern = new RegExp(`^bases/${time}_([a-z0-9]{8})_(\\d{1,16})$`)
const incrementPattern = new RegExp(
  `^increments/\\d{8}/${time}_([a-z0-9]{8})_([a-z0-9]{8})_(\\d{1,9})_(\\d{1,16})_(\\d{1,16})(_erasures)?$`,
)

export const baseName = ({ at, history, to }: Omit<BasePoint, 'kind' | 'name'>): string =>
  `${basesFolder}${compactTime(at)}_${history}_${to}`

/** The names of all published contents that a base needs (`storedName` without the folder), one a line. Never encrypted. */
export const assetListName = (base: string): string => `${base}.assets`

/** All entries about erasures up to the base, in the format of increments. */
export const erasuresName = (base: string): string => `${base}.erasures`

export function incrementName(point: Omit<IncrementPoint, 'kind' | 'name'>): string {
  const { at, history, chain, number, from, to, hasErasures } = point
  const instant = compactTime(at)
  const day = instant.slice(0, 8)
  return `${incrementsFolder}${day}/${instant}_${history}_${chain}_${number}_${from}_${to}${hasErasures ? '_erasures' : ''}`
}

/** The name of a part of a bundle, counted from 1. */
export const partName = (name: string, number: number): string => `${name}.${String(number).padStart(6, '0')}`

/** The bundle that an object belongs to, which is itself unless it is a part. */
export const bundleOf = (name: string): string => name.replace(/\.\d{6}$/, '')

/** `null`: not the name of a base's or increment's head. */
export function pointNamed(name: string): BasePoint | IncrementPoint | null {
  const base = basePattern.exec(name)
  if (base !== null) {
    const [history = '', to] = base.slice(8)
    return { kind: 'base', name, at: instantOf(base), history, to: Number(to) }
  }
  const increment = incrementPattern.exec(name)
  if (increment === null) return null
  const [history = '', chain = '', number, from, to, erasures] = increment.slice(8)
  return {
    kind: 'increment',
    name,
    at: instantOf(increment),
    history,
    chain,
    number: Number(number),
    from: Number(from),
    to: Number(to),
    hasErasures: erasures !== undefined,
  }
}

/** `20261122T113000123Z`: sorting these as text sorts the instants. */
const compactTime = (at: number): string => new Date(at).toISOString().replaceAll(/[-:.]/g, '')

/** The folder of an instant's day. */
const dayFolder = (at: number): string => `${incrementsFolder}${compactTime(at).slice(0, 8)}/`

function instantOf(match: RegExpExecArray): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = match.slice(1, 8).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second, ms)
}

/** A moment that can be restored. */
export type ListedPoint<P extends BasePoint | IncrementPoint = BasePoint | IncrementPoint> = P & {
  /** Bytes of all its objects. */
  bytes: number
}

/** All bases in order of time. A base without a head was interrupted and does not count. */
export async function listBases(target: BackupTarget): Promise<ListedPoint<BasePoint>[]> {
  const bases: ListedPoint<BasePoint>[] = []
  for await (const point of pointsIn(target.list(basesFolder))) if (point.kind === 'base') bases.push(point)
  return bases
}

/** The increments after an instant (epoch milliseconds; all if absent), in order of time. */
export async function* listIncrements(
  target: BackupTarget,
  behind?: number,
): AsyncGenerator<ListedPoint<IncrementPoint>> {
  const from = behind === undefined ? undefined : dayFolder(behind)
  for await (const point of pointsIn(target.list(incrementsFolder, from)))
    if (point.kind === 'increment' && (behind === undefined || point.at > behind)) yield point
}

/** In the order of names, a head precedes its parts, and a base precedes the objects beside it. */
async function* pointsIn(objects: AsyncIterable<StoredObject>): AsyncGenerator<ListedPoint> {
  let last: ListedPoint | null = null
  for await (const { name, bytes } of objects) {
    const head: string = bundleOf(name).replace(/\.(?:assets|erasures)$/, '')
    if (last !== null && head === last.name) {
      last.bytes += bytes
      continue
    }
    if (last !== null) yield last
    const point = pointNamed(name)
    last = point === null ? null : { ...point, bytes }
  }
  if (last !== null) yield last
}
