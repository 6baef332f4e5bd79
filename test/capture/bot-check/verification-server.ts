import { createServer, type Socket } from 'node:net'
import { ownPort } from '../../harness/loopback.ts'

export interface AskedQuestion {
  method: string
  contentType: string | null
  fields: Record<string, string>
}

/** A provider on loopback that answers as told, and tells what it was asked. */
export function verificationServer(answer: (request: Request) => Response | Promise<Response>) {
  const asked: AskedQuestion[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const fields = Object.fromEntries(new URLSearchParams(await request.text()))
      asked.push({ method: request.method, contentType: request.headers.get('content-type'), fields })
      return answer(request)
    },
  })
  return { asked, url: `http://127.0.0.1:${server.port}/siteverify`, [Symbol.asyncDispose]: () => server.stop(true) }
}

/** Answers every connection with these very bytes, and leaves it open. */
export async function rawServer(answer: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.write(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    /** How many have asked so far. */
    get connectionCount() {
      return sockets.size
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An address on loopback where nobody listens. */
export const deadAddress = (): string => `http://127.0.0.1:${ownPort()}/siteverify`
