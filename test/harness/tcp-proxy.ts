import { connect, createServer, type Socket } from 'node:net'
import { ownPort } from './loopback.ts'

/** A client's connection, and the one to the server that belongs to it. */
export interface ProxiedConnection {
  client: Socket
  server: Socket
  /** Nothing passes any more, in either direction. */
  isHeld: boolean
}

/** Passes bytes on between a client and a server on loopback, as long as a test lets it. */
export interface TcpProxy extends Disposable {
  port: number
  /** Where new connections lead. */
  serverPort: number
  /** Whether the server's answers get lost; what clients send still arrives. */
  swallows: boolean
  /** Whether everything gets lost, as where a cable was pulled. Call `cut` before it passes again. */
  isPulled: boolean
  /** Sees what is about to pass. `hold`: from here on, nothing does on this connection. */
  watch: ((bytes: Buffer, from: 'client' | 'server', connection: ProxiedConnection) => 'pass' | 'hold') | null
  /** Closes all connections. */
  cut(): void
}

export function startTcpProxy(serverPort: number): TcpProxy {
  const connections = new Set<ProxiedConnection>()
  const pass = (bytes: Buffer, from: 'client' | 'server', connection: ProxiedConnection): void => {
    if (connection.isHeld || proxy.isPulled || (from === 'server' && proxy.swallows)) return
    if (proxy.watch?.(bytes, from, connection) === 'hold') connection.isHeld = true
    else connection[from === 'client' ? 'server' : 'client'].write(bytes)
  }
  const listener = createServer((client) => {
    const connection = { client, server: connect(proxy.serverPort, '127.0.0.1'), isHeld: false }
    connections.add(connection)
    for (const from of ['client', 'server'] as const) {
      connection[from].on('data', (bytes: Buffer) => pass(bytes, from, connection))
      // A reset is followed by `close`.
      connection[from].on('error', () => {})
      connection[from].on('close', () => {
        connections.delete(connection)
        for (const side of [connection.client, connection.server]) side.destroy()
      })
    }
  })
  const proxy: TcpProxy = {
    ...{ port: ownPort(), serverPort, swallows: false, isPulled: false, watch: null },
    cut() {
      for (const { client, server } of connections) for (const side of [client, server]) side.destroy()
    },
    [Symbol.dispose]() {
      listener.close()
      proxy.cut()
    },
  }
  listener.listen(proxy.port, '127.0.0.1')
  return proxy
}
