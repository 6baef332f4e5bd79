import { readlinkSync } from 'node:fs'
import type { CommittedBatch, WriteBatch } from '../../../capture/write-batch.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import type { ProcessingNotice } from '../../../processing/processing.ts'
import { faultReason, isLocked } from '../processing/fault-reason.ts'
import { BackgroundProcessing } from '../steps/background-processing.ts'
import { WorkMark } from '../steps/slow-entries.ts'
import { BatchTransaction } from './batch-transaction.ts'
import {
  CommitFigures,
  type CommitReply,
  decodeRequest,
  type ThreadMemory,
  WaitingMessages,
} from './worker-messages.ts'

interface ReplyPort {
  postMessage(reply: CommitReply): void
}

type Transaction = Pick<BatchTransaction, 'commit' | 'close'>

/** Between two looks for waiting entries, which commands of other processes may have stored too. */
const lookMs = 250
/** After a failure of the disk, which is left to the commits meanwhile. */
const failurePauseMs = 1000

/**
 * The writing thread's side of `WorkerCommitter`: whatever has arrived by the time the disk is free again shares one
 * transaction and one fsync. The database is opened at the start, and again after a failure.
 *
 * Between commits, it processes the ledger in steps (docs/decisions/0017): on this thread, a step never competes with a
 * commit for the database's lock, and what waits to be committed goes first.
 */
export class CommitThread {
  private databaseFile = ''
  private figures = new CommitFigures()
  private transaction: Transaction | null = null
  private processing: BackgroundProcessing | null = null
  private waiting: WriteBatch[] = []
  private nextStep: Timer | null = null
  private messages = new WaitingMessages()
  private mark = new WorkMark()
  private readonly turns = new ProcessingTurns(systemClock)

  /** @param removeContent deletes a content of the box with this database by its SHA-256 */
  constructor(
    private readonly port: ReplyPort,
    private readonly removeContent: (databaseFile: string, sha256: string) => void = () => {},
    private readonly openTransaction: (databaseFile: string, figures: CommitFigures) => Transaction = primedTransaction,
  ) {}

  /** @param message a request or, before the first, the memory that both threads share */
  receive(message: string | ThreadMemory): void {
    if (typeof message === 'string') this.obey(message)
    else this.share(message)
  }

  private share({ messages, figures, mark }: ThreadMemory): void {
    this.messages = new WaitingMessages(messages)
    this.mark = new WorkMark(mark)
    this.mark.thread = threadNumber()
    if (figures !== null) this.figures = new CommitFigures(figures)
  }

  private obey(message: string): void {
    this.messages.noteReceived()
    const request = decodeRequest(message)
    if ('open' in request) this.open(request.open, request.version)
    else if ('close' in request) this.close()
    else if ('withdraw' in request) this.withdraw()
    else this.enqueue(request.commit)
  }

  private open(databaseFile: string, version: string): void {
    this.databaseFile = databaseFile
    const onNotice = (notice: ProcessingNotice) => this.port.postMessage(notice)
    this.processing = new BackgroundProcessing(databaseFile, systemClock, onNotice, {
      ...{ version, mark: this.mark },
      removeContent: (sha256) => this.removeContent(databaseFile, sha256),
    })
    this.stepAfter(lookMs)
    this.openEarly()
    this.openProcessing(this.processing)
  }

  /** Now, while there are descriptors. A failure here repeats with the first capture, which is then answered. */
  private openEarly(): void {
    try {
      this.opened()
    } catch {
      this.reopenLater()
    }
  }

  /** Before a record can carry an implausible time. A failure here repeats with a step, which then reports it. */
  private openProcessing(processing: BackgroundProcessing): void {
    try {
      processing.open()
    } catch {
      Bun.gc(true)
    }
  }

  private enqueue(batch: WriteBatch): void {
    this.waiting.push(batch)
    // After the messages that have already arrived, so that all are committed together.
    if (this.waiting.length === 1) setImmediate(() => this.commitWaiting())
  }

  private withdraw(): void {
    const batches = this.waiting.splice(0).length
    if (batches > 0) this.port.postMessage({ failed: 'it was withdrawn', batches })
  }

  private commitWaiting(): void {
    const batches = this.waiting.splice(0)
    if (batches.length === 0) return
    this.turns.noteCommit(batches.reduce((sum, { entries }) => sum + entries.length, 0))
    try {
      const committed = this.opened().commit(batches, systemClock.now())
      this.port.postMessage(committed.every(isPlain) ? committed.length : { committed })
    } catch (error) {
      this.stepAfter(failurePauseMs)
      this.reopenLater()
      const reason = error instanceof Error ? error.message : String(error)
      this.port.postMessage({ failed: reason, batches: batches.length })
    }
  }

  private opened(): Transaction {
    this.transaction ??= this.openTransaction(this.databaseFile, this.figures)
    return this.transaction
  }

  private stepAfter(pauseMs: number): void {
    if (this.nextStep !== null) clearTimeout(this.nextStep)
    this.nextStep = setTimeout(() => this.step(), pauseMs)
  }

  /** Captures first, then one step, however busy the box is, so that processing comes to an end. */
  private step(): void {
    this.nextStep = null
    this.commitWaiting()
    // A failed commit has postponed the step.
    if (this.nextStep !== null) return
    try {
      this.stepAfter(this.process())
    } catch (error) {
      // The records are safe in the ledger.
      this.stepAfter(failurePauseMs)
      if (!isLocked(error)) this.port.postMessage({ processingFailed: faultReason(error) })
      // See reopenLater.
      Bun.gc(true)
    }
  }

  private process(): number {
    const { processing } = this
    if (processing === null) return lookMs
    const turn = this.turns.next(processing.othersWrote())
    const folding = { msMax: turn.foldMs, isAwaited: () => turn.yields && this.messages.any() }
    if (processing.run(turn.stepMs, folding) === 'more') return turn.pauseMs
    return lookMs
  }

  /** A connection that met an I/O error may hold a half-written log; a new one recovers from what is on disk. */
  private reopenLater(): void {
    try {
      this.transaction?.close()
    } finally {
      this.transaction = null
      // SQLite keeps a closed connection, its files and its cache until its last statement is collected. While the disk
      // stays full, that would add one every half second.
      Bun.gc(true)
    }
  }

  private close(): void {
    this.commitWaiting()
    if (this.nextStep !== null) clearTimeout(this.nextStep)
    this.processing?.close()
    this.reopenLater()
    this.port.postMessage({ closed: true })
  }
}

function primedTransaction(databaseFile: string, figures: CommitFigures): BatchTransaction {
  const transaction = new BatchTransaction(databaseFile, figures)
  transaction.prime()
  return transaction
}

const isPlain = ({ homeless, spent }: CommittedBatch) => homeless.length === 0 && spent.length === 0

/** The calling thread's number; 0: the system does not tell. */
function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/** What a step may take, and the pause after it while more waits, in milliseconds. */
interface Turn {
  stepMs: number
  /** The limit for a step that folds entries. */
  foldMs: number
  /** Whether a capture that arrives ends such a step early. */
  yields: boolean
  pauseMs: number
}

/** How long after a commit captures count as coming in. */
const busyMs = 10
/** Would be ended by the next capture before it has folded more than an entry or two, so it does not yield. */
const busyTurn: Turn = { stepMs: 2, foldMs: 2, yields: false, pauseMs: 15 }
/** With commits this large, the processors are needed for answers: most of processing waits for a quieter moment. */
const heavyCharacters = 8 * 1024
const heavyTurn: Turn = { stepMs: 3, foldMs: 3, yields: false, pauseMs: 100 }

/** How long after another connection's write others count as being at work: captures, commands, deliveries. */
const quietMs = 250
/** In the pause, commands find the write lock free. */
const sharedTurn: Turn = { stepMs: 3, foldMs: 3, yields: true, pauseMs: 1 }

/** Nobody else writes. A capture that arrives ends a folding step early; only writing what it folded is left. */
const aloneTurn: Turn = { ...sharedTurn, foldMs: 10 }
/**
 * A writer that finds the lock taken looks again after 1, 2, 5, 10 ms and so on, and would miss pauses of 1 ms for
 * long. One step in so many is therefore followed by a longer pause. The first write that succeeds ends the long steps.
 */
const stepsPerBreath = 10
const breathTurn: Turn = { ...aloneTurn, pauseMs: 10 }

/** How the writing thread divides its time and the database's lock among commits, other writers and processing. */
export class ProcessingTurns {
  private committedAtMs = Number.NEGATIVE_INFINITY
  /** Whether the latest commit was as large as on a box at its limit. */
  private isHeavy = false
  private othersWroteAtMs = Number.NEGATIVE_INFINITY
  private stepsAlone = 0

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** @param characters of all entries in the commit */
  noteCommit(characters: number): void {
    this.committedAtMs = this.clock.monotonicMs()
    this.isHeavy = characters >= heavyCharacters
  }

  /** @param othersWrote whether another connection has written since the previous turn */
  next(othersWrote: boolean): Turn {
    const nowMs = this.clock.monotonicMs()
    if (othersWrote) this.othersWroteAtMs = nowMs
    if (nowMs - this.committedAtMs < busyMs) return this.isHeavy ? heavyTurn : busyTurn
    if (nowMs - Math.max(this.othersWroteAtMs, this.committedAtMs) < quietMs) return sharedTurn
    this.stepsAlone++
    return this.stepsAlone % stepsPerBreath === 0 ? breathTurn : aloneTurn
  }
}
