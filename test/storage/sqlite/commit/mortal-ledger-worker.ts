import { existsSync, writeFileSync } from 'node:fs'
import type { CommittedBatch, WriteBatch } from '../../../../src/capture/write-batch.ts'
import { BatchTransaction } from '../../../../src/storage/sqlite/commit/batch-transaction.ts'
import { CommitThread } from '../../../../src/storage/sqlite/commit/commit-thread.ts'
import type { CommitFigures, ThreadMemory } from '../../../../src/storage/sqlite/commit/worker-messages.ts'

// The writing thread, with ways to die and to hang: what an entry holds decides. Hanging it makes the file `….hangs` beside
// the database, and goes on when `….hang` is gone, or somebody writes to `….pipe`.
declare const self: Worker

class MortalTransaction extends BatchTransaction {
  constructor(
    private readonly databaseFile: string,
    figures: CommitFigures,
  ) {
    super(databaseFile, figures)
  }

  override commit(batches: readonly WriteBatch[], now: number): CommittedBatch[] {
    const meets = (point: string) => batches.some(({ entries }) => entries.includes(`"${point}"`))
    if (meets('hang before the commit')) this.hang()
    if (meets('loop for ever')) this.hang(() => true)
    if (meets('hang in the system')) this.hangInTheSystem()
    if (meets('die inside the transaction')) {
      this.connection.raw.run('BEGIN IMMEDIATE')
      this.connection.raw.run('UPDATE box SET revision = revision + 1')
      process.exit(1)
    }
    const committed = super.commit(batches, now)
    if (meets('hang after the commit')) this.hang()
    if (meets('die after the commit')) process.exit(1)
    if (meets('die by a fault after the commit')) throw outOfReach()
    return committed
  }

  /**
   * Waits for a program that reads from a pipe, until somebody writes to it. The program makes the file, so that the thread is
   * in the system by then: ended before, it would never hang.
   */
  private hangInTheSystem(): void {
    Bun.spawnSync(['sh', '-c', 'touch "$0.hangs"; read _ < "$0.pipe"', this.databaseFile])
  }

  private hang(goesOn = () => existsSync(`${this.databaseFile}.hang`)): void {
    writeFileSync(`${this.databaseFile}.hangs`, '')
    while (goesOn()) Bun.sleepSync(5)
  }
}

/** The thread answers what its transaction throws: a fault elsewhere ends it. */
function outOfReach(): never {
  self.postMessage = () => {
    throw new Error('a fault that quotes ada@acme.example')
  }
  throw new Error('a fault')
}

const thread = new CommitThread(self, undefined, (file, figures) => new MortalTransaction(file, figures))
self.onmessage = (message: MessageEvent<string | ThreadMemory>) => {
  if (typeof message.data !== 'string') return thread.receive(message.data)
  if (message.data.includes('"die by a fault"')) throw new Error('a fault in the writing thread')
  if (message.data.includes('"die at once"')) process.exit(1)
  thread.receive(message.data)
}
