import type { DomainStatus } from '../../https/domain-status.ts'
import { timestamp } from '../../lib/quantities.ts'

/** A service looks within seconds of a name's next try, unless it has hundreds to look at. */
const lateMsMax = 10 * 60_000

/** Why what is told of names in mode `auto` may not be so any more; `null`: it is fresh. */
export function staleness(
  statuses: Pick<DomainStatus, 'nextTryAt'>[],
  { isRunning, now }: { isRunning: boolean; now: number },
): string | null {
  if (!isRunning)
    return 'no service is running on this box, so that nothing is ordered or renewed. Shown is what the last one saw.'
  const [earliest] = statuses.flatMap(({ nextTryAt }) => nextTryAt ?? []).sort((one, other) => one - other)
  if (earliest === undefined || now - earliest <= lateMsMax) return null
  return `the service should have looked again at ${timestamp(earliest)} and has not: see its log.`
}
