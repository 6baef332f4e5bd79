import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import type { OutFile, OutFiles } from '../../operations/backup/backup-ports.ts'
import { syncPath } from '../disk/synced.ts'
import { makeScratchFolder, removeAbandoned } from './scratch-folder.ts'

/** Exports hold personal data. */
const ownerOnly = 0o600

export const outFiles = (dataDir: string): OutFiles => ({
  begin: (file) => beginOutFile(file, dataDir),
  scratch: (file) => makeScratchFolder(file, dataDir),
})

/**
 * Begins the file in a scratch folder beside it, and removes those of killed commands; a device or pipe such as
 * /dev/stderr is written to directly.
 *
 * @throws OperatorError if it cannot be written, or is inside the data folder, where it could replace the database
 */
export async function beginOutFile(path: string, dataDir: string): Promise<OutFile> {
  await refuseWithin(dataDir, path)
  const file = await target(path)
  if (file.isSpecial) return asItIs(file.path)
  removeAbandoned(dataDir)
  return underTemporaryName(file.path, dataDir)
}

/** Writes a file whole or not at all, as `beginOutFile` begins it. @throws OperatorError as it does */
export async function writeOutFile(
  path: string,
  dataDir: string,
  contents: Iterable<Uint8Array> | AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const file = await beginOutFile(path, dataDir)
  try {
    for await (const content of contents) await file.write(content)
    await file.finish()
  } catch (error) {
    await file.discard()
    throw error
  }
}

async function refuseWithin(dataDir: string, path: string): Promise<void> {
  const folder = await realpath(dataDir).catch(() => dataDir)
  if (!(await realFile(path)).startsWith(folder + sep)) return
  throw new OperatorError(
    `${path} is inside the data folder ${dataDir}, which only contains the box's own files. Name a file outside it.`,
  )
}

/** Where the bytes would go, whether or not the file exists: links are followed. */
async function realFile(path: string): Promise<string> {
  const folder = dirname(path)
  return realpath(path).catch(async () => join(await realpath(folder).catch(() => folder), basename(path)))
}

/** Follows links, which would be replaced otherwise. */
async function target(path: string): Promise<{ path: string; isSpecial: boolean }> {
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) throw new OperatorError(`${path} is a folder. Name a file in it.`)
  if (found === null) return { path, isSpecial: false }
  return found.isFile() ? { path: await realpath(path), isSpecial: false } : { path, isSpecial: true }
}

async function asItIs(path: string): Promise<OutFile> {
  const handle = await attempt(path, () => open(path, 'w'))
  const close = (): Promise<void> => handle.close()
  const write = (content: string | Uint8Array) => attempt(path, () => writeAll(handle, content))
  return { write, readBack: () => open(path), finish: close, discard: close }
}

async function underTemporaryName(path: string, dataDir: string): Promise<OutFile> {
  const scratch = await attempt(path, async () => makeScratchFolder(path, dataDir))
  const temporary = join(scratch.dir, basename(path))
  const handle = await attempt(path, () => open(temporary, 'wx', ownerOnly)).catch((error: unknown) => {
    scratch.remove()
    throw error
  })
  return {
    readBack: () => open(temporary),
    write: (content) => attempt(path, () => writeAll(handle, content)),
    async finish() {
      await attempt(path, async () => {
        await handle.sync()
        await handle.close()
        await rename(temporary, path)
        // Not possible in a folder that is writable but not readable.
        await syncPath(dirname(path)).catch(() => {})
      })
      scratch.remove()
    },
    async discard() {
      await handle.close().catch(() => {})
      scratch.remove()
    },
  }
}

const writeAll = async (handle: FileHandle, content: string | Uint8Array): Promise<void> => handle.writeFile(content)

async function attempt<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new OperatorError(`Cannot write ${path}: there is no folder ${dirname(path)}.`)
    const denied = code === 'EACCES' || code === 'EPERM'
    throw new OperatorError(
      `Cannot write ${path}: ${message}.` +
        (denied
          ? ' The command runs as the owner of the data folder, also when root starts it: name a file in a folder that this user may write to (of an export, `> FILE` in place of --out works too, and of a report, `--html - > FILE`).'
          : ''),
    )
  }
}
