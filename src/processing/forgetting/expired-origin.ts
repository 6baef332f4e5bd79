import type { Touch } from '../attribution/touch.ts'
import { type DeviceBase, hasExpired } from '../refolding/device-base.ts'
import type { SubmissionOrigin } from '../submissions/submission-fact.ts'

/** A time in which a device was an erased person's, epoch milliseconds; `null`: open. `until` is exclusive. */
interface OwnTime {
  from: { at: number } | null
  until: { at: number } | null
}

/** Whether a record received then is one of the person's that have expired; `null`: none of theirs can have. */
export function expiredOf(
  times: readonly OwnTime[],
  base: Pick<DeviceBase, 'expiredAt'>,
): ((at: number) => boolean) | null {
  if (!times.some(({ from }) => hasExpired(base, from?.at ?? 0))) return null
  return (at) =>
    hasExpired(base, at) && times.some(({ from, until }) => (from?.at ?? 0) <= at && at < (until?.at ?? Infinity))
}

/**
 * What is left of a submission's origin without what erased records told of it. Of a record that has expired, only the
 * submissions still know, so no refold can tell that it was the person's.
 */
export function originWithout(
  { first, last, page }: SubmissionOrigin,
  isErased: (at: number) => boolean,
): SubmissionOrigin {
  const left = (touch: Touch | null) => (touch !== null && isErased(Date.parse(touch.at)) ? null : touch)
  return { first: left(first), last: left(last) ?? left(first), page: page !== null && isErased(page.at) ? null : page }
}
