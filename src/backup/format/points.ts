import type { BackupTarget, StoredObject } from '../target/backup-target.ts'
import {
  type BasePoint,
  basesFolder,
  bundleOf,
  dayFolder,
  type IncrementPoint,
  incrementsFolder,
  pointNamed,
} from './object-names.ts'

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
