import type { ProxySocket } from '../../../src/console/proxy-socket.ts'
import { newKeyText } from '../../../src/lib/id.ts'
import { ConsoleProxy, wayToThread } from '../../../src/listener/console/console-proxy.ts'

interface ADoorOptions {
  idleTimeout?: number
  silentMs?: number
}

/** A proxy on a port of its own, in front of a server of the test's in the console's place. */
export class AProxy implements AsyncDisposable {
  /** Uses that have not ended. */
  uses = 0
  /** Of what is behind it. */
  readonly threadEnd = new AbortController()
  /** What the listener was told of timeouts, in seconds. */
  readonly timeouts: number[] = []
  readonly proxy: ConsoleProxy
  private readonly front: Bun.Server<undefined>

  /** @param stop ends the server behind it */
  constructor(
    proxySocket: ProxySocket,
    private readonly stop: () => unknown,
    { idleTimeout = 0, silentMs }: ADoorOptions = {},
  ) {
    const use = async () => {
      this.uses++
      let isOver = false
      const end = () => {
        if (!isOver) this.uses--
        isOver = true
      }
      return { send: wayToThread(proxySocket), end, gone: this.threadEnd.signal }
    }
    this.proxy = new ConsoleProxy(null, { use, isElsewhere: false }, silentMs)
    this.front = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout,
      fetch: (request, server) =>
        this.proxy.handOn({
          request,
          server: this.told(server),
          ownOrigin: 'http://localhost',
          clientAddress: '',
          secure: false,
        }),
    })
  }

  static to(answer: (request: Request) => Response | Promise<Response>, options: ADoorOptions = {}): AProxy {
    const proxySocket = aSocket()
    const server = Bun.serve({ unix: proxySocket.socket, fetch: answer })
    return new AProxy(proxySocket, () => server.stop(true), options)
  }

  get port(): number {
    return this.front.port ?? 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.front.stop(true)
    await this.stop()
  }

  private told(server: Bun.Server<undefined>) {
    return {
      requestIP: () => null,
      timeout: (request: Request, seconds: number) => {
        this.timeouts.push(seconds)
        server.timeout(request, seconds)
      },
    }
  }
}

export const aSocket = (): ProxySocket => ({ socket: `\0capture-proxy-${newKeyText(24)}`, secret: newKeyText(43) })
