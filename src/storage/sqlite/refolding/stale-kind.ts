import type { UnderivedDevices } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import type { Correction } from '../processing/folding.ts'

/**
 * A kind of keys that go stale when entries go. A mark says which are, in a table of its own; changes hold only while the key is
 * marked as it was: an erasure or retention that removes more marks it anew.
 */
export interface StaleKind<Key extends { accountRow: number } = { accountRow: number }, Change = unknown> {
  /** Changes written in one transaction: a millisecond or two. */
  readonly changesPerPart: number
  /** A marked key; `null`: none is. */
  next(): Key | null
  isMarked(key: Key): boolean
  /**
   * Loads what is left, folds it, and says what differs from it; holds no lock, and makes a pause after a millisecond or two.
   * Asked again until `settle` ends the mark.
   */
  changes(key: Key): Generator<Change | typeof pause>
  write(change: Change, key: Key, correction: Correction): void
  /** Ends the mark, unless the key must be looked at again, in the transaction. */
  settle(key: Key): void
  giveUp(key: Key, reason: string): void
}

export const pause = Symbol('others may have their turn')

/** Upper bound of the number of marks. */
export const countStale = ({ raw }: Pick<Connection, 'raw'>): number =>
  raw
    .query<{ marks: number }, []>(
      `SELECT (SELECT count(*) FROM stale_device WHERE given_up IS NULL) + (SELECT count(*) FROM stale_repeat)
         + (SELECT count(*) FROM stale_burst) + (SELECT count(*) FROM stale_day) AS marks`,
    )
    .get()?.marks ?? 0

/** Devices that could not be derived again, by account. */
export const underivedDevices = ({ raw }: Pick<Connection, 'raw'>): (UnderivedDevices & { accountRow: number })[] =>
  raw
    .query<UnderivedDevices & { accountRow: number }, []>(
      `SELECT account_row AS accountRow, handle, count(*) AS count, max(given_up) AS reason
       FROM stale_device JOIN device ON device.row = device_row JOIN account ON account.row = account_row
       WHERE given_up IS NOT NULL GROUP BY account_row ORDER BY handle`,
    )
    .all()

/** Lets devices that failed before be tried again. */
export const retryGivenUp = ({ raw }: Pick<Connection, 'raw'>): void => {
  raw.run('UPDATE stale_device SET given_up = NULL WHERE given_up IS NOT NULL')
}
