import type { AssetVersion, LiveTimes } from '../../asset/asset.ts'
import type { WallClock } from '../../lib/local-time.ts'
import { plural } from '../../lib/quantities.ts'
import type { FieldChange } from '../change.ts'
import { changedFields } from './fields.ts'

type Compared = Pick<AssetVersion, 'state' | 'sha256' | 'byteCount' | keyof LiveTimes>

/** The field that tells of an asset's bytes. */
export const contentField = 'content'

/** What changes of an asset that stays: its state, its times, and its size where it has other bytes. */
export function assetFields(before: Compared, after: Compared, clock: WallClock): FieldChange[] {
  const fields = changedFields(keysOf(before, clock), keysOf(after, clock))
  if (before.sha256 === after.sha256) return fields
  const isAlike = before.byteCount === after.byteCount
  const content: FieldChange = {
    field: contentField,
    before: plural(before.byteCount, 'byte'),
    after: plural(after.byteCount, isAlike ? 'other byte' : 'byte'),
  }
  return [...fields, content]
}

function keysOf({ state, liveFrom, liveUntil }: Compared, clock: WallClock) {
  const timeText = (at: number | null): string | null => (at === null ? null : clock.textOf(at))
  return { state, live_from: timeText(liveFrom), live_until: timeText(liveUntil) }
}
