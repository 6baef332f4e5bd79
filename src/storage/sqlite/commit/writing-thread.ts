import { faultPlace } from '../../../lib/fault-place.ts'
import { WorkMark } from '../steps/slow-entries.ts'
import type { CommitFigures } from './commit-figures.ts'
import { SlowWatch } from './slow-watch.ts'
import { WaitingMessages } from './waiting-messages.ts'
import { type CommitReply, type CommitRequest, encodeRequest, type ThreadMemory } from './worker-messages.ts'

export interface ThreadWorkplace {
  workerFile: string | URL
  databaseFile: string
  /** Of the program. */
  version: string
  /** Where the thread counts its commits; absent: nobody reads the counts. */
  figures?: CommitFigures
}

interface WritingThreadEvents {
  onReply: (reply: CommitReply) => void
  /** Called once, when the thread no longer runs: it commits nothing more. */
  onEnd: (reason: string) => void
}

/** One life of the writing thread, seen from the serving thread. */
export class WritingThread {
  private readonly worker: Worker
  private readonly messages = new WaitingMessages()
  private readonly mark = new WorkMark()
  /** How long it is at an entry. */
  readonly watch = new SlowWatch(this.mark)
  private reason = 'it ended'

  constructor(
    { workerFile, databaseFile, version, figures }: ThreadWorkplace,
    { onReply, onEnd }: WritingThreadEvents,
  ) {
    this.worker = new Worker(workerFile, { smol: true })
    this.worker.onmessage = (message: MessageEvent<CommitReply>) => onReply(message.data)
    this.worker.onerror = (event) => {
      this.reason = faultPlace(event.message)
      this.worker.terminate()
    }
    this.worker.addEventListener('close', () => onEnd(this.reason))
    const memory: ThreadMemory = {
      messages: this.messages.memory,
      figures: figures?.memory ?? null,
      mark: this.mark.memory,
    }
    this.worker.postMessage(memory)
    this.send({ open: databaseFile, version })
  }

  send(request: CommitRequest): void {
    this.messages.noteSent()
    this.worker.postMessage(encodeRequest(request))
  }

  /** Ends the thread, at the latest when its present call of SQLite returns. */
  end(reason: string): void {
    this.reason = reason
    this.worker.terminate()
  }
}
