import { partitionPoint } from '../../lib/partition-point.ts'
import type { StoredClick } from './click-fact.ts'

/**
 * The group's clicks within so many milliseconds before and after `at`; the nearest ones, at most `limit` on either
 * side.
 */
export interface ClicksAroundQuery {
  accountId: string
  group: string
  at: number
  withinMs: number
  limit: number
}

/**
 * The group's clicks within so many milliseconds before `from`, `from` included, the nearest ones; and those after it,
 * until so many milliseconds after `to`, the first ones; at most `limit` of either.
 */
export interface GroupStretch extends Omit<ClicksAroundQuery, 'at'> {
  from: number
  to: number
}

/** A group's clicks in order of receipt: the step's, and the stored ones around the stretches loaded so far. */
interface BurstGroup {
  clicks: StoredClick[]
  loaded: { from: number; to: number }[]
}

/** The clicks of burst groups. Storage is asked once for all clicks of a batch in the same group. */
export class BurstGroups {
  private readonly groups = new Map<string, BurstGroup>()

  constructor(private readonly load: (asked: GroupStretch[]) => StoredClick[][]) {}

  foresee(queries: readonly ClicksAroundQuery[]): void {
    const stretches = new Map<string, GroupStretch>()
    for (const { at, ...query } of queries) {
      if (isLoaded(this.of(query), at)) continue
      const name = nameOf(query)
      const { from, to } = stretches.get(name) ?? { from: at, to: at }
      stretches.set(name, { ...query, from: Math.min(from, at), to: Math.max(to, at) })
    }
    if (stretches.size > 0) this.loadAll([...stretches.values()])
  }

  /** Adds a click of the step. */
  add(accountId: string, click: StoredClick): void {
    insert(this.of({ accountId, group: click.burstGroup }), click)
  }

  around(query: ClicksAroundQuery): StoredClick[] {
    const { at, withinMs, limit } = query
    const group = this.of(query)
    if (!isLoaded(group, at)) this.loadAll([{ ...query, from: at, to: at }])
    const { clicks } = group
    const behind = partitionPoint(clicks, ({ receivedAt }) => receivedAt <= at)
    return clicks
      .slice(Math.max(0, behind - limit), behind + limit)
      .filter(({ receivedAt }) => Math.abs(receivedAt - at) <= withinMs)
  }

  private loadAll(stretches: GroupStretch[]): void {
    const answers = this.load(stretches)
    for (const [position, stretch] of stretches.entries()) {
      const { from, to, limit } = stretch
      const found = answers[position] ?? []
      const group = this.of(stretch)
      for (const click of found) insert(group, click)
      // Beyond a full answer, more clicks may be stored: then only its beginning is known.
      const isWhole = found.filter(({ receivedAt }) => receivedAt > from).length < limit
      group.loaded.push({ from, to: isWhole ? to : from })
    }
  }

  private of(query: Pick<ClicksAroundQuery, 'accountId' | 'group'>): BurstGroup {
    const name = nameOf(query)
    const known = this.groups.get(name)
    if (known !== undefined) return known
    const group: BurstGroup = { clicks: [], loaded: [] }
    this.groups.set(name, group)
    return group
  }
}

const nameOf = ({ accountId, group }: Pick<ClicksAroundQuery, 'accountId' | 'group'>): string => accountId + group

const isLoaded = ({ loaded }: BurstGroup, at: number): boolean => loaded.some(({ from, to }) => from <= at && at <= to)

/** In order of receipt and, within a millisecond, of capture; once. */
function insert({ clicks }: BurstGroup, click: StoredClick): void {
  const { receivedAt, key } = click
  const place = partitionPoint(
    clicks,
    (other) => other.receivedAt < receivedAt || (other.receivedAt === receivedAt && other.key < key),
  )
  if (clicks[place]?.key !== key) clicks.splice(place, 0, click)
}
