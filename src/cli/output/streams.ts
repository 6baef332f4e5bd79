import { fstatSync, write, writeSync } from 'node:fs'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { count } from '../../lib/quantities.ts'

export const standardOutputName = '-'

export interface ResultStream {
  isTerminal: boolean
  /** The terminal's width; absent: not a terminal, or unknown. */
  columns?: number | undefined
  /** Resolves when the reader has accepted the data, so that a slow reader slows down the command instead of filling memory. */
  write(content: string | Uint8Array): Promise<void>
}

/** The stream for messages: short and never awaited. */
export interface MessageStream {
  isTerminal: boolean
  write(text: string): void
}

/** The reader of standard output has closed it (`capture export … | head`), which is not a failure. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** Pause before retrying a pipe that another process made non-blocking. */
const retryMs = 5

/** Standard output, written through its descriptor: `process.stdout` of the runtime throws EPIPE out of reach. */
export function standardOutput(): ResultStream {
  let last = Promise.resolve()
  const terminal = isTerminal(1)
  return {
    isTerminal: terminal,
    get columns() {
      // Some terminals report 0.
      return terminal ? process.stdout.columns || undefined : undefined
    },
    write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      last = last.then(() => writeWhole(1, bytes))
      return last
    },
  }
}

/** Standard error. Failed writes are dropped, because there is nowhere to report them. */
export function standardError(): MessageStream {
  return {
    isTerminal: isTerminal(2),
    write(text) {
      const bytes = Buffer.from(text)
      try {
        for (let from = 0; from < bytes.length; ) from += writeSync(2, bytes, from)
      } catch {
        return
      }
    },
  }
}

/** `node:tty` loads sockets and streams, which takes 10 ms, so it is used only for possible terminals. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isCharacterDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    // The parent process closed it.
    return false
  }
}

async function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; ) from += await writeSome(descriptor, bytes.subarray(from))
}

async function writeSome(descriptor: number, bytes: Uint8Array): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  write(descriptor, bytes, (error, written) => (error ? reject(error) : resolve(written)))
  try {
    return await promise
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new OutputClosed()
    if (code !== 'EAGAIN') throw new OperatorError(`Cannot write to standard output: ${message}.`)
    await Bun.sleep(retryMs)
    return 0
  }
}

/** Shows the progress of a long run on a terminal, and nothing elsewhere. */
export interface Progress {
  advance(by: number): void
  end(): void
}

interface ProgressOptions {
  stream: MessageStream
  clock: Clock
  /** `Exporting` */
  label: string
  /** `rows` */
  unit: string
  /** `null`: unknown. */
  total: number | null
}

const redrawMs = 100
const returnAndClear = '\r\u001b[K'

export function startProgress({ stream, clock, label, unit, total }: ProgressOptions): Progress {
  if (!stream.isTerminal) return { advance: () => {}, end: () => {} }
  const startedMs = clock.monotonicMs()
  let drawnMs = startedMs
  let done = 0
  return {
    advance(by) {
      done += by
      const nowMs = clock.monotonicMs()
      if (nowMs - drawnMs < redrawMs) return
      drawnMs = nowMs
      const perSecond = Math.round(done / ((nowMs - startedMs) / 1000))
      stream.write(`${returnAndClear}${label} ${percentage(done, total)}${count(done)} ${unit}, ${count(perSecond)}/s`)
    },
    end: () => stream.write(returnAndClear),
  }
}

const percentage = (done: number, total: number | null): string =>
  total === null || total <= 0 ? '' : `${Math.floor(Math.min(1, done / total) * 100)}%, `
