import { askThread } from '../../../lib/thread/one-answer.ts'
import { workerFile } from '../../../lib/thread/worker-file.ts'

export interface CopyOrder {
  databaseFile: string
  copy: string
}

/** Copies and verifies a database in a thread that ends with it. @throws with what SQLite says */
export async function copyInThread(databaseFile: string, copy: string): Promise<void> {
  const file = workerFile('cli/backup/targets/copy-worker.ts')
  try {
    await askThread<CopyOrder, void>(file, { databaseFile, copy }, 'copies the database')
  } catch (error) {
    throw new Error(`the database cannot be copied: ${(error as Error).message}`)
  }
}
