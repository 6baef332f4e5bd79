import { askThread } from './one-answer.ts'
import { workerFile } from './worker-file.ts'

export interface CopyOrder {
  databaseFile: string
  copy: string
}

/** Copies and verifies a database in a thread that ends with it. @throws with what SQLite says, or the signal's reason */
export async function copyInThread(databaseFile: string, copy: string, signal: AbortSignal): Promise<void> {
  const file = workerFile('copy')
  try {
    await askThread<CopyOrder, void>(file, { databaseFile, copy }, { purpose: 'copies the database', signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(`the database cannot be copied: ${(error as Error).message}`)
  }
}
