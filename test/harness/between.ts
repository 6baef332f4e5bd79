import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server on this machine. */
export interface Between extends Disposable {
  port: number
  /** What the client has sent. */
  sentBytes: number
  /** Takes nothing more once the client has sent so much. */
  takenBytesMax: number
  /** Hangs up instead of passing the next answer on, once so many bytes were sent. */
  swallowsAnswerAfterBytes: number
  /** Breaks every connection, and takes everything from then on. */
  hangUp(): void
}

/** @param port of the server */
export async function startBetween(port: number): Promise<Between> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => end()).on('close', () => end())
    }
    const end = (): void => {
      for (const socket of [client, upstream]) {
        open.delete(socket)
        socket.destroy()
      }
    }
    client.on('data', (bytes) => {
      between.sentBytes += bytes.length
      if (between.sentBytes > between.takenBytesMax) client.pause()
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (between.sentBytes < between.swallowsAnswerAfterBytes) return void client.write(bytes)
      between.swallowsAnswerAfterBytes = Number.POSITIVE_INFINITY
      end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const between: Between = {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sentBytes: 0,
    takenBytesMax: Number.POSITIVE_INFINITY,
    swallowsAnswerAfterBytes: Number.POSITIVE_INFINITY,
    hangUp() {
      between.takenBytesMax = Number.POSITIVE_INFINITY
      for (const socket of [...open]) socket.destroy()
    },
    [Symbol.dispose]: () => void server.close(),
  }
  return between
}
