import { connect, type Socket } from 'node:net'
import { waitMsMax } from '../../harness/eventually.ts'
import { within } from '../../harness/server-process.ts'

/** A client that says exactly the bytes it is told, and reads only once it is asked to. Disposed of, it hangs up. */
export class SlowClient implements Disposable {
  private constructor(private readonly socket: Socket) {
    // Being cut off is one of the things that happen to it.
    socket.on('error', () => {})
    socket.pause()
  }

  static async open(port: number): Promise<SlowClient> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const connected = Promise.withResolvers<void>()
    socket.once('connect', () => connected.resolve())
    socket.once('error', connected.reject)
    await within(waitMsMax, 'a connection', connected.promise)
    return new SlowClient(socket)
  }

  say(text: string): void {
    this.socket.write(text)
  }

  /** Waits for some bytes to have come, and leaves the rest where it is. */
  async firstBytes(): Promise<string> {
    const readable = Promise.withResolvers<void>()
    this.socket.once('readable', () => readable.resolve())
    await within(waitMsMax, 'the first bytes of an answer', readable.promise)
    return (this.socket.read() as Buffer | null)?.toString('latin1') ?? ''
  }

  /** Reads until the service closes the connection. */
  async rest(): Promise<string> {
    const chunks: Buffer[] = []
    const closed = Promise.withResolvers<void>()
    this.socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    this.socket.once('close', () => closed.resolve())
    if (this.socket.closed) closed.resolve()
    this.socket.resume()
    await within(waitMsMax, 'the connection to be closed', closed.promise)
    return Buffer.concat(chunks).toString('latin1')
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}
