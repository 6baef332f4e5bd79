import type { CopyOrder, CopyOutcome } from './copy-worker.ts'
import { copyWorkerFile } from './worker-files.ts'

/** Copies and verifies a database in a thread that ends with it. @throws with what SQLite says */
export async function copyInThread(databaseFile: string, copy: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<CopyOutcome>()
  const worker = new Worker(copyWorkerFile(), { smol: true })
  worker.onmessage = ({ data }: MessageEvent<CopyOutcome>) => resolve(data)
  worker.onerror = () => reject(new Error('the thread that copies the database has died'))
  worker.postMessage({ databaseFile, copy } satisfies CopyOrder)
  try {
    const { fault } = await promise
    if (fault !== null) throw new Error(`the database cannot be copied: ${fault}`)
  } finally {
    worker.terminate()
  }
}
