import { fstatSync, write, writeSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'

/** What stands for standard output where the name of a file is asked for. */
export const standardOutputName = '-'

/** Where results go. */
export interface ResultStream {
  isTerminal: boolean
  /** Of the terminal; absent: it is none, or does not say. */
  columns?: number | undefined
  /** Resolves once the reader's side has taken it, so that a slow reader slows the command and not its memory. */
  write(content: string | Uint8Array): Promise<void>
}

/** Where messages go. Short, and never waited for. */
export interface MessageStream {
  isTerminal: boolean
  write(text: string): void
}

/** The reader of standard output has gone (`capture export … | head`): nothing is wrong, and nothing is left to do. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** Pause before a pipe that somebody made non-blocking is tried again. */
const retryMs = 5

/** Standard output, written through its descriptor: `process.stdout` of the runtime throws EPIPE out of reach. */
export function standardOutput(): ResultStream {
  let last = Promise.resolve()
  const terminal = isTerminal(1)
  return {
    isTerminal: terminal,
    get columns() {
      // Some terminals say 0.
      return terminal ? process.stdout.columns || undefined : undefined
    },
    write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      last = last.then(() => writeWhole(1, bytes))
      return last
    },
  }
}

/** Standard error. What cannot be written is lost: there is nobody left to tell. */
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

/** `node:tty` brings sockets and streams along, which cost a command 10 ms: it is asked only about what may be one. */
function isTerminal(descriptor: 1 | 2): boolean {
  return isCharacterDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    // It was closed by whoever started the command.
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
