import { connect, createServer } from 'node:net'

/** Stands between a client and a server on this machine. */
export interface Between extends Disposable {
  port: number
  /** What the client has sent. */
  sentBytes: number
  /** Hangs up once the client has sent more. */
  sentBytesMax: number
}

/** @param port of the server */
export async function startBetween(port: number): Promise<Between> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    const hangUp = (): void => {
      client.destroy()
      upstream.destroy()
    }
    client.on('error', hangUp).on('close', hangUp)
    upstream.on('error', hangUp).on('close', hangUp)
    client.on('data', (bytes) => {
      between.sentBytes += bytes.length
      if (between.sentBytes > between.sentBytesMax) hangUp()
    })
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const between: Between = {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sentBytes: 0,
    sentBytesMax: Number.POSITIVE_INFINITY,
    [Symbol.dispose]: () => void server.close(),
  }
  return between
}
