import { boxDatabases } from '../../open.ts'
import { takeLowPriority } from './thread-priority.ts'

// The entry point of the thread that copies a database: SQLite does that in one call, which may take minutes.
declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<CopyOrder>) => {
  takeLowPriority()
  try {
    const { copyDatabaseInPassing } = await boxDatabases()
    copyDatabaseInPassing(data.databaseFile, data.copy)
    self.postMessage({ fault: null } satisfies CopyOutcome)
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) } satisfies CopyOutcome)
  }
}

export interface CopyOrder {
  databaseFile: string
  copy: string
}

/** `null`: the copy is there and verified. */
export interface CopyOutcome {
  fault: string | null
}
