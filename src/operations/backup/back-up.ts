import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { type BackupPorts, CopyFault, type DatabaseCopy } from './backup-ports.ts'
import { soundAssets } from './sound-assets.ts'

export interface BackupWanted {
  /** Absolute. */
  file: string
  /** Whether to leave out published contents whose own bytes are damaged. */
  skipDamaged: boolean
  /** The version of the program, for the backup to say. */
  program: string
}

export interface BackupWatch {
  /** So many more bytes are written. */
  onBytes: (count: number) => void
  /** Told of contents that are left out since they are damaged. */
  onDamaged: (diagnosis: Diagnosis) => void
}

/** A backup that was written and read back. */
export interface WrittenBackup {
  file: string
  bytes: number
  /** ISO 8601. */
  createdAt: string
  /** Published contents in it. */
  assets: number
  /** Contents that are published and not held. */
  missingAssets: number
  /** Hashes of contents that were damaged. */
  damagedAssets: string[]
}

type BackedUpBox = Pick<Box, 'sites' | 'assets' | 'clock' | 'backups'>

/**
 * Writes everything the box holds into one file, reads it back, and only then gives it its name (contract section 1).
 *
 * @throws OperatorError when the file cannot be written, the database cannot be copied, or contents are damaged
 */
export const backUp = (box: BackedUpBox, wanted: BackupWanted, watch: BackupWatch): Promise<WrittenBackup> =>
  // Nobody publishes meanwhile: the bytes that the copied database names stay where they are.
  box.sites.exclusively(`capture backup ${wanted.file}`, async () => writeBackup(box, wanted, watch))

async function writeBackup(
  box: BackedUpBox,
  { file, skipDamaged, program }: BackupWanted,
  { onBytes, onDamaged }: BackupWatch,
): Promise<WrittenBackup> {
  const ports = await box.backups()
  const out = await ports.outFiles.begin(file)
  try {
    const createdAt = new Date(box.clock.now()).toISOString()
    let bytes = 0
    const { written, damagedAssets } = await withDatabaseCopy(file, ports, async (copy) => {
      const { assets, damaged } = await soundAssets(copy, box.assets, { skipDamaged, onDamaged })
      const contents = { createdAt, program, damaged, databaseFile: copy.file, hashes: copy.contents(), assets }
      const written = await ports.archive.write(contents, async (chunk) => {
        await out.write(chunk)
        bytes += chunk.length
        onBytes(chunk.length)
      })
      return { written, damagedAssets: damaged }
    })
    await verify(out.temporary, ports)
    await out.finish()
    const missingAssets = written.missing - damagedAssets.length
    return { file, bytes, createdAt, assets: written.assets, missingAssets, damagedAssets }
  } catch (error) {
    await out.discard()
    throw error
  }
}

/** A copy of the database beside the backup, since the data folder's own volume may be the full one. */
async function withDatabaseCopy<T>(
  file: string,
  { outFiles, copies }: BackupPorts,
  work: (copy: DatabaseCopy) => Promise<T>,
): Promise<T> {
  const scratch = outFiles.scratch(file)
  try {
    const copy = copied(copies, join(scratch.dir, 'capture.db'))
    try {
      return await work(copy)
    } finally {
      copy.close()
    }
  } finally {
    scratch.remove()
  }
}

function copied(copies: BackupPorts['copies'], file: string): DatabaseCopy {
  try {
    return copies.copyTo(file)
  } catch (error) {
    if (!(error instanceof CopyFault)) throw error
    const failed = `The database cannot be copied: ${error.message}.`
    throw new OperatorError(
      error.isDamaged
        ? `${failed} It is damaged, and no backup can be made of it: keep those you have. \`capture doctor\` says what is lost; \`capture export\` prints what can be read; then restore the latest backup.`
        : `${failed} Is there room beside the backup, and what does \`capture doctor\` say?`,
    )
  }
}

async function verify(file: string, { archive }: BackupPorts): Promise<void> {
  try {
    await archive.verify(file)
  } catch (error) {
    throw new OperatorError(
      `The backup was written and could not be read back: it ${(error as Error).message}. Is the disk sound?`,
    )
  }
}
