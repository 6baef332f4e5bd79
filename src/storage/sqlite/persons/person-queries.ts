import { entriesWithin, rowsWithin } from '../lookup/rows-within.ts'

/**
 * A person's records, `?1` their intervals and `?2` their row: what their devices recorded in these, and submissions
 * that named them without a device.
 */
const ownEntries = `
  SELECT entry.sequence, entry.received_at, entry.kind
  ${entriesWithin}
    AND (entry.kind <> 1 OR EXISTS (
      SELECT 1 FROM submission_fact fact
      WHERE fact.sequence = entry.sequence AND (fact.status = 'accepted' OR fact.released_at IS NOT NULL)))
  UNION ALL
  SELECT sequence, received_at, 1
  FROM submission_fact
  WHERE person_row = ?2 AND device_row IS NULL AND (status = 'accepted' OR released_at IS NOT NULL)`

/** When the person was seen, and the number of their records. */
export const seenQuery = `
  SELECT min(received_at) AS firstSeenAt, max(received_at) AS lastSeenAt,
    count(*) FILTER (WHERE kind = 1) AS submissions, count(*) FILTER (WHERE kind <> 1) AS events
  FROM (${ownEntries})`

/** Positions in the ledger of their records of some kinds (`?3`, a JSON array of numbers). */
export const sequencesQuery = `
  SELECT sequence FROM (${ownEntries}) WHERE kind IN (SELECT value FROM json_each(?3)) ORDER BY sequence`

/** Traits that their devices stated without an address. */
export const deviceTraitsQuery = `
  SELECT received_at AS at, entry_id AS id, traits
  ${rowsWithin('device_traits')}`

const ownTouches = `
  SELECT received_at AS at, entry_id AS id, touch
  ${rowsWithin('touch')}`

/** First touch of their devices in the intervals, and the last one that is not direct. */
export const firstTouchQuery = `${ownTouches} ORDER BY received_at, entry_id LIMIT 1`
export const lastTouchQuery = `${ownTouches} WHERE is_direct = 0 ORDER BY received_at DESC, entry_id DESC LIMIT 1`

const earlierTouches = `
  SELECT received_at AS at, entry_id AS id, touch
  FROM touch
  WHERE device_row = ?1 AND (received_at, entry_id) < (?2, ?3)`

/** A device's last touch before a receipt that is not direct, and its first one. */
export const lastTouchBeforeQuery = `
  ${earlierTouches} AND is_direct = 0 ORDER BY received_at DESC, entry_id DESC LIMIT 1`
export const firstTouchBeforeQuery = `${earlierTouches} ORDER BY received_at, entry_id LIMIT 1`
