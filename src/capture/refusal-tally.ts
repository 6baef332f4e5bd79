import type { Clock } from '../lib/clock.ts'
import type { RefusalCount, RefusalLog, RefusingEndpoint } from './refusal-log.ts'
import { RefusalSums } from './refusal-sums.ts'
import { sentByTestPage } from './source.ts'

/** Origins counted by name, for one account, endpoint and check within an hour; the rest share `*`. */
const originsNamedMax = 50
/** Counters held for the whole box until they are written; a refusal that would need one more is not counted. */
const countersMax = 100_000
const originCharactersMax = 200
const msPerHour = 60 * 60 * 1000
const otherOrigins = '*'

/**
 * Counts refusals in memory and writes them to the log in batches, so that a flood of refused requests does not load the disk. Unwritten
 * counts are lost when the process is killed: they are hints for an operator, not records. Refusals of the test page are not
 * counted, since the page shows them itself.
 */
export class RefusalTally {
  /** What was counted since the start, written or not. */
  readonly sums = new RefusalSums()
  private counters = new Map<string, RefusalCount>()
  private named = new Map<string, Set<string>>()
  private namedHour = 0

  constructor(
    private readonly log: RefusalLog,
    private readonly clock: Clock,
    private readonly previewHost: string,
  ) {}

  add(accountId: string, refused: { endpoint: RefusingEndpoint; check: string; origin: string | null }): void {
    if (sentByTestPage(refused.origin, this.previewHost)) return
    const hour = Math.floor(this.clock.now() / msPerHour)
    const { endpoint, check } = refused
    const group = `${accountId} ${endpoint} ${check}`
    this.sums.add(accountId, group)
    const origin = this.originName(group, hour, refused.origin ?? '')
    const key = `${accountId} ${hour} ${endpoint} ${check} ${origin}`
    const counter = this.counters.get(key)
    if (counter) counter.count++
    else this.hold(key, { accountId, hour, endpoint, check, origin, count: 1 })
  }

  /** Writes what has been counted. When that fails the counts stay for the next time. */
  async flush(): Promise<void> {
    if (this.counters.size === 0) return
    const taken = this.counters
    this.counters = new Map()
    try {
      await this.log.add([...taken.values()])
    } catch {
      for (const [key, count] of taken) this.putBack(key, count)
    }
  }

  private originName(group: string, hour: number, origin: string): string {
    if (hour !== this.namedHour) {
      this.named.clear()
      this.namedHour = hour
    }
    const names = this.named.get(group) ?? new Set<string>()
    this.named.set(group, names)
    const name = origin.slice(0, originCharactersMax)
    if (names.has(name)) return name
    if (names.size >= originsNamedMax) return otherOrigins
    names.add(name)
    return name
  }

  private putBack(key: string, count: RefusalCount): void {
    const newer = this.counters.get(key)
    if (newer) newer.count += count.count
    else this.hold(key, count)
  }

  private hold(key: string, count: RefusalCount): void {
    if (this.counters.size < countersMax) this.counters.set(key, count)
  }
}
