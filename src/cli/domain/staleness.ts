import type { DomainStatus } from '../../https/domain-status.ts'
import { timestamp } from '../../lib/quantities.ts'

/** A service checks a name within seconds of its due time, unless hundreds are due. */
const lateMsMax = 10 * 60_000

/** Why the states in mode `auto` may be outdated; `null`: they are current. */
export function staleness(
  statuses: Pick<DomainStatus, 'nextTryAt'>[],
  { isRunning, now }: { isRunning: boolean; now: number },
): string | null {
  if (!isRunning)
    return 'no service is running on this box, so nothing is ordered or renewed. These are the last known states.'
  const [earliest] = statuses.flatMap(({ nextTryAt }) => nextTryAt ?? []).sort((one, other) => one - other)
  if (earliest === undefined || now - earliest <= lateMsMax) return null
  return `the service should have checked again at ${timestamp(earliest)} but has not: see its log.`
}
