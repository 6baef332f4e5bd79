import type { Socket, SocketHandler } from 'bun'

/** Messages between two processes of Capture, one JSON object per line. Unknown fields are ignored. */
export type Message =
  /** From the service, first of all. */
  | {
      say: 'hello'
      version: string
      pid: number
      executable: string
      ports: Record<string, number>
      hosts: string[]
      /** What its threads did that it does not start again. */
      stalled: string[]
    }
  /** To the service: start the executable now at your path, and hand over to it. */
  | { say: 'upgrade'; watchSeconds: number }
  /** To the service: this process listens on the same ports and waits for the data folder. */
  | { say: 'take over'; pid: number }
  /** From the service: everything is written and the data folder is free. */
  | { say: 'free' }
  /** From the one that takes over. */
  | { say: 'migrating'; megabytes: number }
  | { say: 'migrated'; snapshot: string }
  | { say: 'ready' }
  | { say: 'alive' }
  /** The process is stopping on request. */
  | { say: 'stopping' }
  /** From the service: it no longer stands by. */
  | { say: 'yours' }
  /** From the service to the command that requested an upgrade. */
  | { say: 'started'; pid: number }
  /** It will not, or could not. */
  | { say: 'failed'; why: string }

/** Longer than a message with every host of a box. */
const lineCharactersMax = 64 * 1024 * 1024

/** One end of a connection. Received messages wait until they are read. */
export class Wire {
  private received = ''
  private unsent: Uint8Array = new Uint8Array()
  private readonly decoder = new TextDecoder()
  private readonly messages: Message[] = []
  private wake: (() => void) | null = null
  private isOver = false

  constructor(private readonly socket: Socket<Wire>) {}

  get isClosed(): boolean {
    return this.isOver
  }

  send(message: Message): void {
    if (this.isOver) return
    this.unsent = Buffer.concat([this.unsent, Buffer.from(`${JSON.stringify(message)}\n`)])
    this.flush()
  }

  /** The next message; `null`: the connection is closed. */
  async next(): Promise<Message | null> {
    for (;;) {
      const message = this.messages.shift()
      if (message !== undefined) return message
      if (this.isOver) return null
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  close(): void {
    this.over()
    this.socket.end()
  }

  take(bytes: Uint8Array): void {
    this.received += this.decoder.decode(bytes, { stream: true })
    const lines = this.received.split('\n')
    this.received = lines.pop() ?? ''
    for (const line of lines) {
      const message = parsed(line)
      if (message !== null) this.messages.push(message)
    }
    if (this.received.length > lineCharactersMax) this.close()
    this.wake?.()
  }

  flush(): void {
    if (this.unsent.length === 0) return
    const sent = this.socket.write(this.unsent)
    this.unsent = this.unsent.subarray(Math.max(0, sent))
  }

  over(): void {
    this.isOver = true
    this.wake?.()
  }
}

function parsed(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'say' in value ? (value as Message) : null
  } catch {
    return null
  }
}

/** @param opened called with each new connection */
export const wireHandlers = (opened: (wire: Wire) => void): SocketHandler<Wire> => ({
  open(socket) {
    socket.data = new Wire(socket)
    opened(socket.data)
  },
  data: ({ data: wire }, bytes) => wire.take(bytes),
  drain: ({ data: wire }) => wire.flush(),
  close: ({ data: wire }) => wire.over(),
  error: ({ data: wire }) => wire.over(),
})
