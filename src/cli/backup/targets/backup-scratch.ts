import { join } from 'node:path'
import { makeScratchFolder } from '../../../storage/filesystem/scratch-folder.ts'

/** A file in the data folder for a copy of the database. It goes with the copy; a killed process's goes with the next. */
export function backupScratch(dataDir: string): { file: string; remove(): void } {
  const { dir, remove } = makeScratchFolder(join(dataDir, 'capture.db'), dataDir)
  return { file: join(dir, 'capture.db'), remove }
}
