import type { Socket } from 'bun'
import { ownPort } from './loopback.ts'

interface Side {
  other: Socket<Side> | null
  waiting: Buffer[]
}

/** Passes bytes on between a client and a server on loopback, as long as a test lets it. */
export interface TcpProxy extends Disposable {
  port: number
  /** Whether the server's answers get lost; what clients send still arrives. */
  swallows: boolean
  /** Closes all connections. */
  cut(): void
}

export function startTcpProxy(serverPort: number): TcpProxy {
  const clients = new Set<Socket<Side>>()
  const pass = (from: Socket<Side>, bytes: Buffer): void => {
    const { other } = from.data
    // Small answers on loopback are taken whole.
    if (other === null) from.data.waiting.push(Buffer.from(bytes))
    else other.write(bytes)
  }
  const port = ownPort()
  const proxy: TcpProxy = {
    port,
    swallows: false,
    cut() {
      for (const client of clients) client.terminate()
    },
    [Symbol.dispose]() {
      listener.stop(true)
    },
  }
  const end = ({ data }: Socket<Side>): void => void data.other?.end()
  const listener = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port,
    socket: {
      async open(client) {
        client.data = { other: null, waiting: [] }
        clients.add(client)
        const server = await Bun.connect<Side>({
          hostname: '127.0.0.1',
          port: serverPort,
          data: { other: client, waiting: [] },
          socket: { data: (from, bytes) => (proxy.swallows ? undefined : pass(from, bytes)), close: end },
        }).catch(() => null)
        if (server === null) return void client.end()
        for (const bytes of client.data.waiting.splice(0)) server.write(bytes)
        client.data.other = server
      },
      data: pass,
      close(client) {
        clients.delete(client)
        end(client)
      },
    },
  })
  return proxy
}
