import { isMost, noRecords, retentionClasses } from '../retention.ts'
import type { RetentionWait } from '../retention-notice.ts'
import type { Expired, ExpiredQuery, RetentionStore } from './retention-store.ts'

/**
 * Whether deleting what was received before the cutoffs would take most of an account's records of a class; `null`: no.
 * In steps, since an account may have millions: each yield only means that counting continues.
 */
export function* mostOfAccount(
  store: Pick<RetentionStore, 'expired' | 'kept'>,
  query: ExpiredQuery,
): Generator<Expired[], RetentionWait | null> {
  const due = noRecords()
  const last = noRecords()
  // Nothing is deleted yet, so how far this has looked is not remembered.
  for (const found of store.expired({ ...query, lookedThrough: new Map(query.lookedThrough) })) {
    for (const expired of found) {
      due[expired.class]++
      last[expired.class] = Math.max(last[expired.class], expired.sequence)
    }
    yield []
  }
  for (const name of retentionClasses) {
    if (!isMost({ due: due[name], kept: 0 })) continue
    let kept = 0
    for (const page of store.kept({ ...query, class: name, lastDue: last[name] })) {
      kept += page
      if (!isMost({ due: due[name], kept })) break
      yield []
    }
    if (isMost({ due: due[name], kept })) return { class: name, due: due[name], kept, also: { ...due, [name]: 0 } }
  }
  return null
}
