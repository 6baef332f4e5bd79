import { readFileSync } from 'node:fs'
import { faultPlace } from '../../../lib/fault-place.ts'
import { entryMsMax } from '../processing/fault-reason.ts'
import { type WorkedEntries, WorkMark } from '../steps/slow-entries.ts'
import {
  type CommitFigures,
  type CommitReply,
  type CommitRequest,
  encodeRequest,
  type ThreadMemory,
  WaitingMessages,
} from './worker-messages.ts'

export interface ThreadWorkplace {
  workerFile: string | URL
  databaseFile: string
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

/** Of one tick of the clock in which Linux counts processor time (USER_HZ), on all machines that we build for. */
const tickMs = 10

/** Watches from the serving thread how much processor time the writing thread spends on an entry. */
class SlowWatch {
  private counter = 0
  private beganMs: number | null = null

  constructor(private readonly mark: WorkMark) {}

  /**
   * To be called every few milliseconds. Returns the entries that have been under way for too long; `null`: none, or it
   * cannot be known.
   */
  look(): WorkedEntries | null {
    const { counter, underWay, thread } = this.mark
    if (underWay === null || thread === 0) return null
    if (counter !== this.counter) {
      this.counter = counter
      this.beganMs = threadProcessorMs(thread)
      return null
    }
    const nowMs = threadProcessorMs(thread)
    return nowMs !== null && this.beganMs !== null && nowMs - this.beganMs >= entryMsMax ? underWay : null
  }

  /** Whether the thread is still at what the last look met. */
  isStuck(): boolean {
    return this.mark.counter === this.counter
  }
}

/** Processor time of a thread of this process (proc_pid_stat(5)); `null`: it has ended. */
function threadProcessorMs(thread: number): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    // The thread's name stands in brackets and may hold anything. Behind it, user and system time are 12th and 13th.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * tickMs
  } catch {
    return null
  }
}
