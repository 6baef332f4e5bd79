import { join } from 'node:path'
import type { AssetStore, StoredBytes } from '../../asset/asset-store.ts'
import { damagedBytes } from '../../asset/sound-bytes.ts'
import { type MovedAccountNote, verifyArchive, writeArchive } from '../../backup/format/archive.ts'
import { ageWriter } from '../../backup/format/sealing.ts'
import { repairAdvice } from '../../ledger/ledger.ts'
import { chunksOf, type OpenedFile } from '../../lib/opened-file.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { damagedAssets } from '../asset/damaged-assets.ts'
import type { Box } from '../box.ts'
import type { Diagnosis } from '../check-result.ts'
import { type BackupPorts, CopyFault, type DatabaseCopy, type ScratchFolder } from './backup-ports.ts'

interface BackupWanted {
  file: string
  /** Whether to leave out published contents whose original bytes are damaged. */
  skipDamaged: boolean
  /** Public keys of age to encrypt the file for; none: it is not encrypted. */
  recipients: readonly string[]
  /** The program's version. */
  program: string
  /** The only account in it; absent: it holds the whole box. */
  account?: MovedAccountNote
}

export interface BackupWatch {
  /** Called with the number of bytes written since the last call. */
  onBytes: (count: number) => void
  onDamaged: (diagnosis: Diagnosis) => void
}

export interface WrittenBackup {
  file: string
  bytes: number
  /** Whether an identity is needed to restore it. */
  isSealed: boolean
  /** ISO 8601. */
  createdAt: string
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
  const { outFiles, copyTo } = await box.backups()
  const out = await outFiles.begin(file)
  try {
    const createdAt = new Date(box.clock.now()).toISOString()
    const isSealed = recipients.length > 0
    const hash = new Bun.CryptoHasher('sha256')
    let bytes = 0
    const write = async (chunk: Uint8Array): Promise<void> => {
      await out.write(chunk)
      bytes += chunk.length
      hash.update(chunk)
      onBytes(chunk.length)
    }
    // Beside the backup, because the data folder's volume may be full.
    const scratch = outFiles.scratch(file)
    const { written, damagedAssets } = await withCopy(copyTo, scratch, async (copy) => {
      const { assets, damaged } = await soundAssets(copy, box.assets, { skipDamaged, onDamaged })
      const sealer = isSealed ? await ageWriter(recipients, write) : null
      const { file: databaseFile, sealKey } = copy
      const contents = { createdAt, program, damaged, account, databaseFile, sealKey, hashes: copy.hashes(), assets }
      const written = await writeArchive(contents, sealer?.write ?? write)
      await sealer?.end()
      return { written, damagedAssets: damaged }
    })
    const readBack = await out.readBack()
    try {
      await verify(readBack, isSealed ? hash.digest('hex') : null)
    } finally {
      await readBack.close()
    }
    await out.finish()
    const missingAssets = written.missing - damagedAssets.length
    return { file, bytes, isSealed, createdAt, assets: written.assets, missingAssets, damagedAssets }
  } catch (error) {
    await out.discard()
    throw error
  }
}

async function withCopy<T>(
  copyTo: BackupPorts['copyTo'],
  scratch: ScratchFolder,
  work: (copy: DatabaseCopy) => Promise<T>,
): Promise<T> {
  try {
    const copy = copied(copyTo, join(scratch.dir, 'capture.db'))
    try {
      return await work(copy)
    } finally {
      copy.close()
    }
  } finally {
    scratch.remove()
  }
}

function copied(copyTo: BackupPorts['copyTo'], file: string): DatabaseCopy {
  try {
    return copyTo(file)
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

/** @param sealed the SHA-256 of an encrypted file, which the box has no identity to open; `null`: it is not encrypted */
async function verify(readBack: OpenedFile, sealed: string | null): Promise<void> {
  if (sealed !== null) {
    const hash = new Bun.CryptoHasher('sha256')
    for await (const chunk of chunksOf(readBack)) hash.update(chunk)
    if (hash.digest('hex') === sealed) return
    throw new OperatorError('The backup was written and read back differently. Is the disk sound?')
  }
  try {
    await verifyArchive(readBack)
  } catch (error) {
    throw new OperatorError(
      `The backup was written and could not be read back: it ${(error as Error).message}. Is the disk sound?`,
    )
  }
}

interface SoundAssets {
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
