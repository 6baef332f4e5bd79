import { type CommittedBatch, emptyBatch, isBare, type WriteBatch } from '../../../capture/write-batch.ts'
import type { WriterNotice } from '../../../ledger/writer.ts'
import { Histogram, histogramBytes } from '../../../lib/metrics.ts'
import type { ProcessingNotice } from '../../../processing/processing.ts'

/**
 * Messages between the two threads are strings and numbers wherever possible: cloning an object costs the serving
 * thread ten times as much, and it sends one in every turn of its event loop.
 */
export type CommitRequest =
  /** Its database, and the program's version. */
  | { open: string; version: string }
  | { commit: WriteBatch }
  /** Nobody waits any longer for earlier batches: those not begun must not be stored. */
  | { withdraw: true }
  | { close: true }

/** What both threads share; sent before the first request. */
export interface ThreadMemory {
  /** See `WaitingMessages`. */
  messages: SharedArrayBuffer
  /** See `CommitFigures`; `null`: nobody reads them. */
  figures: SharedArrayBuffer | null
  /** See `WorkMark`. */
  mark: SharedArrayBuffer
}

/** A batch of entries alone is sent as its lines, which begin with an account's id; anything else as JSON. */
export function encodeRequest(request: CommitRequest): string {
  const plain = 'commit' in request && isBare(request.commit)
  return plain ? request.commit.entries : JSON.stringify(request)
}

export function decodeRequest(message: string): CommitRequest {
  if (message.startsWith('{')) return JSON.parse(message) as CommitRequest
  return { commit: { ...emptyBatch, entries: message } }
}

/** What an operator should know about the writing thread and processing. */
export type ThreadNotice = ProcessingNotice | WriterNotice

/**
 * From the writing thread: how many batches one transaction made durable, oldest first; or, if there is anything to say
 * about one, the outcome of each.
 */
export type CommitReply =
  | number
  | { committed: CommittedBatch[] }
  | { failed: string; batches: number }
  | ProcessingNotice
  | { closed: true }

/**
 * Counts the messages to the writing thread, in memory that both threads share. A thread inside a step of processing
 * receives nothing: the count tells it that something was sent.
 */
export class WaitingMessages {
  private readonly sent: Int32Array
  private received = 0

  /** @param memory that of another instance, if there is one */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.sent = new Int32Array(memory)
  }

  /** Call before sending, so that no receipt precedes the count. */
  noteSent(): void {
    Atomics.add(this.sent, 0, 1)
  }

  noteReceived(): void {
    this.received = (this.received + 1) | 0
  }

  /**
   * Both counts wrap around at 32 bits, so only their difference matters. If the sender does not count, nothing waits.
   */
  any(): boolean {
    return ((Atomics.load(this.sent, 0) - this.received) | 0) > 0
  }
}

/** From an idle NVMe disk to one so slow that captures are refused. */
const secondsBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const entriesBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/**
 * How long transactions took and how many entries they stored. The writing thread counts and the serving thread reads
 * the same memory: no messages, and a replacement thread continues the count.
 */
export class CommitFigures {
  readonly seconds: Histogram
  readonly entries: Histogram

  /** @param memory that of another instance, if there is one */
  constructor(readonly memory = new SharedArrayBuffer(histogramBytes(secondsBounds) + histogramBytes(entriesBounds))) {
    this.seconds = new Histogram(secondsBounds, memory)
    this.entries = new Histogram(entriesBounds, memory, histogramBytes(secondsBounds))
  }

  note({ tookMs, entries }: { tookMs: number; entries: number }): void {
    this.seconds.observe(tookMs / 1000)
    this.entries.observe(entries)
  }
}
