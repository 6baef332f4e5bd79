import { connect, type Socket } from 'node:net'
import { waitMsMax } from './eventually.ts'
import { within } from './server-process.ts'

/** A connection over which a test says exactly the bytes it wants to say. */
export class RawConnection implements Disposable {
  private received = ''
  private ended = false
  /** Whether the other side ended it without reading everything. */
  wasReset = false
  private readonly waiting = new Set<() => void>()

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.received += text
      this.wake()
    })
    socket.on('close', () => {
      this.ended = true
      this.wake()
    })
    socket.on('drain', () => this.wake())
    // A reset is one way for the service to end a connection.
    socket.on('error', () => {
      this.wasReset = true
    })
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    await within(
      waitMsMax,
      'a connection',
      new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('error', reject)
      }),
    )
    return new RawConnection(socket)
  }

  /** Whether the service has ended the connection, as far as that has been heard of. */
  get isOver(): boolean {
    return this.ended || this.socket.readableEnded
  }

  /** Sends bytes (Latin-1); waits while the other side does not take them, unless it has gone. */
  async say(text: string): Promise<void> {
    if (this.ended || this.socket.write(text, 'latin1')) return
    await this.until('the bytes to be taken', () => this.socket.writableLength === 0 || this.ended)
  }

  /** Says that nothing more will be sent. */
  end(): void {
    this.socket.end()
  }

  /** Reads nothing more. */
  pause(): void {
    this.socket.pause()
  }

  /** The next answer, with a body of its declared length; `null` when the connection ends without one. */
  async answer(): Promise<RawAnswer | null> {
    let found: { answer: RawAnswer; length: number } | null = null
    await this.until('an answer', () => {
      found = firstAnswer(this.received)
      return found !== null || this.ended
    })
    return this.taken(found)
  }

  /** Waits until the service has closed the connection; everything it sent that no `answer` has taken. */
  async closed(): Promise<string> {
    await this.until('the connection to be closed', () => this.ended)
    return this.received
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  private taken(found: { answer: RawAnswer; length: number } | null): RawAnswer | null {
    if (found === null) return null
    this.received = this.received.slice(found.length)
    return found.answer
  }

  private async until(what: string, holds: () => boolean): Promise<void> {
    while (!holds()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.waiting.add(resolve)
      await within(waitMsMax, what, promise)
    }
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }
}

export interface RawAnswer {
  status: number
  /** Lower-case names. */
  headers: Map<string, string>
  body: string
}

/** The first whole answer in what was received; `null` while there is none. */
export function firstAnswer(text: string): { answer: RawAnswer; length: number } | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = new Map(lines.map((line) => headerOf(line)))
  const length = headEnd + 4 + Number(headers.get('content-length') ?? 0)
  if (text.length < length) return null
  return {
    answer: { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(headEnd + 4, length) },
    length,
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** A request's bytes: its lines joined as HTTP wants them, then the body. */
export const rawRequest = (lines: string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`
