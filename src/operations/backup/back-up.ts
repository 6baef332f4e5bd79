import { join } from 'node:path'
import type { AssetStore, StoredBytes } from '../../asset/asset-store.ts'
import { damagedBytes } from '../../asset/sound-bytes.ts'
import { ageWriter } from '../../backup/format/age-file.ts'
import { repairAdvice } from '../../ledger/ledger.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { damagedAssets } from '../asset/damaged-assets.ts'
import type { Box } from '../box.ts'
import type { Diagnosis } from '../check-result.ts'
import { type BackupPorts, CopyFault, type DatabaseCopy, type MovedAccountNote } from './backup-ports.ts'

interface BackupWanted {
  /** Absolute. */
  file: string
  /** Whether to leave out published contents whose original bytes are damaged. */
  skipDamaged: boolean
  /** Public keys of age to encrypt the file for; none: it is not encrypted. */
  recipients: readonly string[]
  /** The program's version, recorded in the backup. */
  program: string
  /** The only account in it; absent: it holds the whole box. */
  account?: MovedAccountNote
}

export interface BackupWatch {
  /** Called with the number of bytes written since the last call. */
  onBytes: (count: number) => void
  /** Called when damaged contents are left out. */
  onDamaged: (diagnosis: Diagnosis) => void
}

/** A backup that was written and verified. */
export interface WrittenBackup {
  file: string
  bytes: number
  /** Whether an identity is needed to restore it. */
  isSealed: boolean
  /** ISO 8601. */
  createdAt: string
  /** The number of published contents in the backup. */
  assets: number
  /** The number of published contents that the box has lost. */
  missingAssets: number
  /** Hashes of damaged contents. */
  damagedAssets: string[]
}

type BackedUpBox = Pick<Box, 'sites' | 'assets' | 'clock' | 'backups'>

/**
 * Writes everything the box holds into one file, verifies the file, and only then gives it its name.
 *
 * @throws OperatorError when the file cannot be written, the database cannot be copied, or contents are damaged
 */
export const backUp = (box: BackedUpBox, wanted: BackupWanted, watch: BackupWatch): Promise<WrittenBackup> =>
  // The publish lock keeps the contents that the copied database refers to.
  box.sites.exclusively(`capture backup ${wanted.file}`, async () => writeBackup(box, wanted, watch))

async function writeBackup(
  box: BackedUpBox,
  { file, skipDamaged, recipients, program, account }: BackupWanted,
  { onBytes, onDamaged }: BackupWatch,
): Promise<WrittenBackup> {
  const ports = await box.backups()
  const out = await ports.outFiles.begin(file)
  try {
    const createdAt = new Date(box.clock.now()).toISOString()
    const isSealed = recipients.length > 0
    const output = new Output(async (chunk) => {
      await out.write(chunk)
      onBytes(chunk.length)
    })
    const { written, damagedAssets } = await withDatabaseCopy(file, ports, async (copy) => {
      const { assets, damaged } = await soundAssets(copy, box.assets, { skipDamaged, onDamaged })
      const contents = {
        createdAt,
        program,
        damaged,
        account,
        databaseFile: copy.file,
        sealKey: copy.sealKey,
        hashes: copy.hashes(),
        assets,
      }
      const sealer = isSealed ? await ageWriter(recipients, output.write) : null
      const written = await ports.archive.write(contents, sealer?.write ?? output.write)
      await sealer?.end()
      return { written, damagedAssets: damaged }
    })
    if (isSealed) await verifySealed(out.temporary, ports, output.digest())
    else await verify(out.temporary, ports)
    await out.finish()
    const missingAssets = written.missing - damagedAssets.length
    return { file, bytes: output.bytes, isSealed, createdAt, assets: written.assets, missingAssets, damagedAssets }
  } catch (error) {
    await out.discard()
    throw error
  }
}

/** What was written to a file so far. */
class Output {
  bytes = 0
  private readonly hash = new Bun.CryptoHasher('sha256')

  constructor(private readonly sink: (chunk: Uint8Array) => Promise<void>) {}

  readonly write = async (chunk: Uint8Array): Promise<void> => {
    await this.sink(chunk)
    this.bytes += chunk.length
    this.hash.update(chunk)
  }

  digest(): string {
    return this.hash.digest('hex')
  }
}

/** Copies the database beside the backup, because the data folder's volume may be full. */
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
        ? `${failed} Keep the backups that you have. ${repairAdvice}`
        : `${failed} Check the free space next to the backup, and run \`capture doctor\`.`,
    )
  }
}

/** The box has no identity that opens the file, but can tell whether the disk has every byte. */
async function verifySealed(file: string, { archive }: BackupPorts, written: string): Promise<void> {
  if ((await archive.digest(file)) === written) return
  throw new OperatorError('The backup was written and read back differently. Is the disk sound?')
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

interface SoundAssets {
  /** The store to back up. */
  assets: Pick<AssetStore, 'open'>
  /** Hashes of contents whose original bytes are damaged. */
  damaged: string[]
}

/**
 * The published contents without damaged ones, which `onDamaged` reports.
 *
 * @throws OperatorError when original bytes are damaged and `skipDamaged` is off
 */
async function soundAssets(
  copy: DatabaseCopy,
  store: Pick<AssetStore, 'open'>,
  { skipDamaged, onDamaged }: { skipDamaged: boolean; onDamaged: (diagnosis: Diagnosis) => void },
): Promise<SoundAssets> {
  const found = await Array.fromAsync(damagedBytes(copy.hashes(), store))
  if (found.length === 0) return { assets: store, damaged: [] }
  const diagnosis = damagedAssets(found, copy.publishedAs)
  const damaged = found.flatMap(({ sha256, encoding }) => (encoding === 'identity' ? [sha256] : []))
  if (damaged.length > 0 && !skipDamaged) {
    throw new OperatorError(
      `No backup was made. ${diagnosis.found} ${diagnosis.advice} \`capture backup FILE --skip-damaged\` makes one without them.`,
    )
  }
  onDamaged(diagnosis)
  const leftOut = new Set(found.map(nameOf))
  return { assets: { open: async (key) => (leftOut.has(nameOf(key)) ? null : store.open(key)) }, damaged }
}

const nameOf = ({ sha256, encoding }: StoredBytes): string => `${sha256} ${encoding}`
