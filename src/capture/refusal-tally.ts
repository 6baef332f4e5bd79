import type { Clock } from '../lib/clock.ts'
import type { RefusalCount, RefusalLog, RefusingEndpoint } from './refusal-log.ts'
import { RefusalSums } from './refusal-sums.ts'
import { sentByTestPage } from './source.ts'
import { UnwrittenCounts } from './unwritten-counts.ts'

/** Origins counted by name, for one account, endpoint and check within an hour; the rest share `*`. */
const originsNamedMax = 50
/** Held for the whole box until they are written. */
const countersMax = 100_000
const originCharactersMax = 200
const msPerHour = 60 * 60 * 1000
const otherOrigins = '*'

/** Counts refusals. Those of the test page are not counted, since the page shows them itself. */
export class RefusalTally {
  /** What was counted since the start, written or not. */
  readonly sums = new RefusalSums()
  private readonly counts: UnwrittenCounts<RefusalCount>
  private named = new Map<string, Set<string>>()
  private namedHour = 0

  constructor(
    log: RefusalLog,
    private readonly clock: Clock,
    private readonly previewHost: string,
  ) {
    this.counts = new UnwrittenCounts(countersMax, (counts) => log.add(counts))
  }

  add(accountId: string, refused: { endpoint: RefusingEndpoint; check: string; origin: string | null }): void {
    if (sentByTestPage(refused.origin, this.previewHost)) return
    const hour = Math.floor(this.clock.now() / msPerHour)
    const { endpoint, check } = refused
    const group = `${accountId} ${endpoint} ${check}`
    this.sums.add(accountId, group)
    const origin = this.originName(group, hour, refused.origin ?? '')
    const key = `${accountId} ${hour} ${endpoint} ${check} ${origin}`
    this.counts.add(key, { accountId, hour, endpoint, check, origin, count: 1 })
  }

  flush(): Promise<void> {
    return this.counts.flush()
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
}
