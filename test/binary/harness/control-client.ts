import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { waitMsMax } from '../../harness/eventually.ts'
import { GrowingList } from '../../harness/growing-list.ts'

/** A process that speaks to a running service over the socket in its data folder. Disposed of, it goes away. */
export class ControlClient implements Disposable {
  private readonly received = new GrowingList<string>()

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.received.add(text))
    socket.on('close', () => this.received.end())
    socket.on('error', () => {})
  }

  static async open(dataDir: string): Promise<ControlClient> {
    const socket = connect(join(dataDir, 'serve.sock'))
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new ControlClient(socket)
  }

  say(message: object): void {
    this.socket.write(`${JSON.stringify(message)}\n`)
  }

  /** Waits until the service has said this. */
  async hears(word: string): Promise<void> {
    const isSaid = (pieces: readonly string[]) => pieces.join('').includes(`"say":"${word}"`) || null
    await this.received.find(`"${word}"`, waitMsMax, isSaid)
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}
