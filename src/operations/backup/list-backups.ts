import { faultWords } from '../../backup/fault-words.ts'
import type { BasePoint, IncrementPoint } from '../../backup/format/object-names.ts'
import { type ListedPoint, listBases, listIncrements } from '../../backup/format/points.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { OpenedTarget } from './target-ports.ts'

/** A moment that can be restored from a target. */
export interface ListedBackup {
  kind: 'base' | 'increment'
  /** ISO 8601. */
  at: string
  /** Positions of the ledger: it has what is behind `from` up to `to`. A base has everything, from 0. */
  from: number
  to: number
  bytes: number
  target: string
}

/**
 * What a target has, in order of time.
 *
 * @param behind only what is later than this instant, epoch milliseconds; absent: all
 * @throws OperatorError when it cannot be read
 */
export async function* listBackups(
  { target }: Pick<OpenedTarget, 'target'>,
  behind?: number,
): AsyncGenerator<ListedBackup> {
  try {
    const bases = (await listBases(target)).filter(({ at }) => behind === undefined || at > behind)
    for await (const increment of listIncrements(target, behind)) {
      while (bases[0] !== undefined && bases[0].at < increment.at) yield rowOf(target.url, bases.shift() ?? bases[0])
      yield rowOf(target.url, increment)
    }
    for (const base of bases) yield rowOf(target.url, base)
  } catch (error) {
    const words = faultWords(error)
    throw words === null ? error : new OperatorError(`${target.url} ${words}.`)
  }
}

const rowOf = (target: string, point: ListedPoint<BasePoint | IncrementPoint>): ListedBackup => ({
  kind: point.kind,
  at: new Date(point.at).toISOString(),
  from: point.kind === 'base' ? 0 : point.from,
  to: point.to,
  bytes: point.bytes,
  target,
})
