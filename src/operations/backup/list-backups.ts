import {
  type BasePoint,
  type IncrementPoint,
  type ListedPoint,
  listBases,
  listIncrements,
} from '../../backup/format/object-names.ts'
import { faultWords, type OpenedTarget } from '../../backup/target/backup-target.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'

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

/** Behind a backup: its target, and its moment in epoch milliseconds. */
interface BackupPlace {
  target: string
  at: number
}

interface BackupsWanted {
  limit: number
  /** Part of a kind or of a target's address; `null`: all. */
  q: string | null
  behind: BackupPlace | null
}

interface BackupPage {
  /** Target by target, in order of time. */
  backups: ListedBackup[]
  /** Where the next page begins; `null`: this is the last. */
  next: BackupPlace | null
  /** Why targets could not be read. */
  faults: string[]
}

/** Backups that one page of a search looks at; those behind them are the next page's. */
const searchedMax = 10_000

/** One page of what the targets hold. A target that cannot be read does not hide the others. */
export async function pageOfBackups(
  { targets }: Pick<Box, 'targets'>,
  { limit, q, behind }: BackupsWanted,
): Promise<BackupPage> {
  const opened = await targets()
  const begun = behind === null ? 0 : opened.findIndex(({ target }) => target.url === behind.target)
  const page: BackupPage = { backups: [], next: null, faults: [] }
  let searched = 0
  for (const [index, one] of opened.slice(Math.max(0, begun)).entries()) {
    try {
      for await (const backup of listBackups(one, index === 0 ? behind?.at : undefined)) {
        if (page.backups.length === limit || searched === searchedMax) return page
        searched++
        if (isWanted(backup, q)) page.backups.push(backup)
        page.next = { target: backup.target, at: Date.parse(backup.at) }
      }
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      page.faults.push(error.message)
    }
  }
  return { ...page, next: null }
}

function isWanted({ kind, target }: ListedBackup, q: string | null): boolean {
  const wanted = q?.toLowerCase() ?? ''
  return [kind, target.toLowerCase()].some((text) => text.includes(wanted))
}

/** The targets that a command is about: the one that is named, or all. @throws OperatorError when there is none */
export function chosenTargets(opened: readonly OpenedTarget[], named: string | undefined): OpenedTarget[] {
  if (opened.length === 0)
    throw new OperatorError('No backups leave this box: name a place for them in [backup] to of capture.toml.')
  if (named === undefined) return [...opened]
  const url = named.replace(/\/$/, '')
  const found = opened.find(({ target }) => target.url === url)
  if (found !== undefined) return [found]
  const known = opened.map(({ target }) => target.url).join(', ')
  throw new OperatorError(`${named} is not in [backup] to of capture.toml. There are: ${known}.`)
}

/** What is known of a target without asking it. Instants are ISO 8601. */
export interface KnownTarget {
  url: string
  /** Everything before this instant is there; `null`: nothing is. */
  safeAt: string | null
  baseAt: string | null
  /** Why the latest attempt failed; completes "The target …". `null`: it succeeded. */
  fault: { message: string; since: string } | null
}

/** The targets of the box, in the order of `[backup] to`. */
export const knownTargets = ({ config, targetState }: Pick<Box, 'config' | 'targetState'>): KnownTarget[] =>
  config.backup.to.map(targetState).map(({ url, safeAt, baseAt, fault }) => ({
    url,
    safeAt: instantOrNull(safeAt),
    baseAt: instantOrNull(baseAt),
    fault: fault && { message: fault.message, since: new Date(fault.since).toISOString() },
  }))
