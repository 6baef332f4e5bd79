import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../../lib/operator-error.ts'
import { isHeld, takeFolderLock } from '../../lock/folder-lock.ts'
import type { Connection } from './connection.ts'
import { writeVerifiedCopy } from './verified-copy.ts'

const snapshotsKept = 2
const mark = 'before-migration-'
const unfinishedEnd = '.unfinished'

const lockName = 'migration'
const waitMsMax = 10 * 60_000
const pauseMs = 100

/**
 * Runs the work while no other process migrates the same database: a second command waits, so that there is one
 * snapshot, and none is deleted while it is being written.
 *
 * @throws OperatorError when that takes too long
 */
export function inTurn<T>(snapshotDir: string, work: () => T): T {
  mkdirSync(snapshotDir, { recursive: true, mode: 0o700 })
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = takeFolderLock(snapshotDir, lockName, 'a migration')
    if (isHeld(lock)) {
      try {
        return work()
      } finally {
        // Whoever waits for the deleted files, or creates new ones, finds the work done.
        for (const end of ['.lock', '.holder.json']) rmSync(join(snapshotDir, lockName + end), { force: true })
        lock.release()
      }
    }
    if (waitedMs >= waitMsMax) {
      throw new OperatorError(
        `Process ${lock.pid} has been bringing the database up to this version since ${lock.since}. Run the command again when it is done.`,
      )
    }
    Bun.sleepSync(pauseMs)
  }
}

/** Writes the database as it is, and deletes older snapshots and remains of killed migrations. Call only in turn. */
export function takeSnapshot(connection: Connection, snapshotDir: string, now: number): string {
  for (const name of readdirSync(snapshotDir)) {
    if (name.endsWith(unfinishedEnd)) rmSync(join(snapshotDir, name), { force: true })
  }
  const name = `${mark}${new Date(now).toISOString().replaceAll(':', '').replace('.', '')}.db`
  const file = join(snapshotDir, name)
  writeVerifiedCopy(connection, file)
  const snapshots = readdirSync(snapshotDir).filter((entry) => entry.startsWith(mark) && entry.endsWith('.db'))
  for (const entry of snapshots.sort().slice(0, -snapshotsKept)) rmSync(join(snapshotDir, entry))
  return file
}
