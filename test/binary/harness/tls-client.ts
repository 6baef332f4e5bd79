import { readFileSync } from 'node:fs'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { waitMsMax } from '../../harness/eventually.ts'
import { firstAnswer, type RawAnswer } from '../../harness/raw-http.ts'
import { within } from '../../harness/server-process.ts'

/** A browser's connection, which looks at no issuer. Disposed of, it hangs up. */
export class TlsClient implements Disposable {
  private received = ''
  private over = false
  private readonly waiting = new Set<() => void>()

  private constructor(private readonly socket: TLSSocket) {
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.received += text
      this.wake()
    })
    socket.on('close', () => {
      this.over = true
      this.wake()
    })
    socket.on('error', () => {})
  }

  /** @param servername the host that the handshake names; empty: none */
  static async open(port: number, servername: string, options: ConnectionOptions = {}): Promise<TlsClient> {
    const named = servername === '' ? {} : { servername }
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...named, ...options })
    const shaken = new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the connection was closed in the handshake')))
    })
    await within(waitMsMax, 'a handshake', shaken)
    return new TlsClient(socket)
  }

  /** Whether the service has ended the connection, as far as that has been heard of. */
  get isOver(): boolean {
    return this.over || this.socket.readableEnded
  }

  /** The host that the certificate was made for. */
  get certificateOf(): unknown {
    return this.socket.getPeerCertificate().subject.CN
  }

  get serialNumber(): string {
    return this.socket.getPeerCertificate().serialNumber
  }

  say(text: string): void {
    this.socket.write(text)
  }

  /** The next answer, of a declared length; `null`: the connection ended without one. */
  async answer(): Promise<RawAnswer | null> {
    for (;;) {
      const found = firstAnswer(this.received)
      if (found !== null) {
        this.received = this.received.slice(found.length)
        return found.answer
      }
      if (this.over) return null
      const { promise, resolve } = Promise.withResolvers<void>()
      this.waiting.add(resolve)
      await within(waitMsMax, 'an answer', promise)
    }
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }
}

/** Whether the kernel hands on what waits where one of two listeners closes, instead of dropping it. */
export const migratesHandshakes = (): boolean =>
  readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1'
