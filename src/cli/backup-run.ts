import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { byteSize, plural } from '../lib/quantities.ts'
import { damagedNamedMax } from '../storage/archive/archive-format.ts'
import { readArchive, verifyOnly } from '../storage/archive/read-archive.ts'
import { writeArchive } from '../storage/archive/write-archive.ts'
import { type Connection, openReader } from '../storage/sqlite/connection.ts'
import { referencedHashes } from '../storage/sqlite/referenced-hashes.ts'
import { isDamage } from '../storage/sqlite/salvage/damage.ts'
import { writeVerifiedCopy } from '../storage/sqlite/verified-copy.ts'
import { soundAssets } from './backup-assets.ts'
import type { ExitStatus } from './command.ts'
import type { CommandBox } from './open.ts'
import { noticeOtherBox } from './other-boxes.ts'
import { toJson } from './output/json.ts'
import { beginOutFile } from './output/out-file.ts'
import { printable } from './output/printable.ts'
import { startProgress } from './output/progress.ts'
import { makeScratchFolder } from './output/scratch-folder.ts'
import type { Session } from './session.ts'
import { programVersion } from './version.ts'
import { withBox } from './with-box.ts'

/** Writes everything the box holds into one file, reads it back, and only then gives it its name (contract section 1). */
export async function runBackup(
  request: { file: string; skipDamaged: boolean; quiet: boolean; json: boolean },
  session: Session,
): Promise<ExitStatus> {
  const file = resolve(session.cwd, request.file)
  await refuseSpecialFile(file)
  // Nobody publishes meanwhile: the bytes that the copied database names stay where they are.
  const result = await withBox(session, async (box) => {
    await warnOfOtherBox(box, session)
    return box.sites.exclusively(`capture backup ${file}`, () => writeBackup({ ...request, file }, box, session))
  })
  const damaged = result.damagedAssets.length
  const all = damaged === 0 ? 'Everything' : `Everything but ${plural(damaged, 'damaged content')}`
  const text = `${all} is in ${file}: ${byteSize(result.bytes)}, read back and verified.`
  if (!request.quiet) await session.out.write(request.json ? toJson(result) : `${printable(text)}\n`)
  if (result.missingAssets > 0) {
    session.err.write(
      `Warning: ${plural(result.missingAssets, 'published content')} missing on this box could not be copied; \`capture doctor\` says which.\n`,
    )
  }
  return damaged === 0 ? 0 : 1
}

/** An empty box that a misspelling made would take the place of a good backup, night after night. */
async function warnOfOtherBox({ accounts, dataDir }: CommandBox, { loadConfig, cwd, err }: Session): Promise<void> {
  const { file } = await loadConfig()
  const where = { dataDir, configFile: file, cwd }
  await noticeOtherBox(accounts, where, (message) => err.write(`Warning: ${printable(message)}\n`))
}

/** What is written has to be read back. */
async function refuseSpecialFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found === null || found.isFile()) return
  throw new OperatorError(`${file} is ${found.isDirectory() ? 'a folder' : 'no regular file'}. Name a file to write.`)
}

async function writeBackup(
  { file, skipDamaged }: { file: string; skipDamaged: boolean },
  box: CommandBox,
  { clock, err }: Session,
) {
  const out = await beginOutFile(file, box.dataDir)
  const progress = startProgress({ stream: err, clock, label: 'Writing', unit: 'bytes', total: null })
  try {
    const createdAt = new Date(clock.now()).toISOString()
    let bytes = 0
    const { written, damagedAssets } = await withDatabaseCopy(file, box, async (databaseFile, reader) => {
      const { assets, damagedAssets } = await soundAssets(reader, box.assets, { skipDamaged, err })
      const damaged = damagedAssets.length === 0 ? {} : { damaged: damagedAssets.slice(0, damagedNamedMax) }
      const manifest = { format: 1 as const, createdAt, program: programVersion, ...damaged }
      const written = await writeArchive(
        { manifest, databaseFile, hashes: referencedHashes(reader), assets },
        async (chunk) => {
          await out.write(chunk)
          bytes += chunk.length
          progress.advance(chunk.length)
        },
      )
      return { written, damagedAssets }
    })
    await verify(out.temporary)
    await out.finish()
    const missingAssets = written.missing - damagedAssets.length
    return { file, bytes, createdAt, assets: written.assets, missingAssets, damagedAssets }
  } catch (error) {
    await out.discard()
    throw error
  } finally {
    progress.end()
  }
}

/** A copy of the database beside the backup, since the data folder's own volume may be the full one. */
async function withDatabaseCopy<T>(
  file: string,
  { database, dataDir }: CommandBox,
  work: (copy: string, reader: Connection) => Promise<T>,
): Promise<T> {
  const scratch = makeScratchFolder(file, dataDir)
  try {
    const copy = join(scratch.dir, 'capture.db')
    copyDatabase(database, copy)
    const reader = openReader(copy)
    try {
      return await work(copy, reader)
    } finally {
      reader.raw.close()
    }
  } finally {
    scratch.remove()
  }
}

function copyDatabase(database: CommandBox['database'], copy: string): void {
  try {
    writeVerifiedCopy(database, copy)
  } catch (error) {
    const said = `The database cannot be copied: ${(error as Error).message}.`
    throw new OperatorError(
      isDamage(error)
        ? `${said} It is damaged, and no backup can be made of it: keep those you have. \`capture doctor\` says what is lost; \`capture export\` prints what can be read; then restore the latest backup.`
        : `${said} Is there room beside the backup, and what does \`capture doctor\` say?`,
    )
  }
}

async function verify(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await readArchive(handle, verifyOnly)
  } catch (error) {
    throw new OperatorError(
      `The backup was written and could not be read back: it ${(error as Error).message}. Is the disk sound?`,
    )
  } finally {
    await handle.close()
  }
}
