import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'

/** How long to wait for readers that hold the log, in milliseconds: an export of a large account takes some seconds. */
const waitMsMax = 15_000
const lookMs = 20
/** How long one attempt may keep a server's captures waiting for the write lock. */
const triedMs = 10

/**
 * Moves the write-ahead log into the database's file and empties it, so that no earlier state of a page is left in it.
 * Returns whether that succeeded: a permanent reader prevents it.
 */
export async function emptyLog({ raw }: Connection, clock: Clock): Promise<boolean> {
  const { timeout } = raw.query<{ timeout: number }, []>('PRAGMA busy_timeout').get() ?? { timeout: 0 }
  const deadlineMs = clock.monotonicMs() + waitMsMax
  raw.run(`PRAGMA busy_timeout = ${triedMs}`)
  try {
    for (;;) {
      // Most of the work, without keeping anybody waiting.
      raw.query('PRAGMA wal_checkpoint(PASSIVE)').get()
      const outcome = raw.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()
      if (outcome?.busy === 0) return true
      if (clock.monotonicMs() > deadlineMs) return false
      await Bun.sleep(lookMs)
    }
  } finally {
    raw.run(`PRAGMA busy_timeout = ${timeout}`)
  }
}
