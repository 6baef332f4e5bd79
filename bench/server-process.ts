import { createServer } from 'node:net'
import type { BenchPairs } from './certificates.ts'

/** Where a server answers on the loopback interface. */
export interface ServerAddress {
  scheme: 'http' | 'https'
  port: number
}

/** A server under load, in a process of its own. */
export interface ServerProcess extends ServerAddress {
  pid: number
  stop(): Promise<void>
}

/** What is compared with: it answers and does nothing else. It is gone when `signal` says so. @param pairs with them it speaks https */
export async function startBare(answer: string, signal: AbortSignal, pairs?: BenchPairs): Promise<ServerProcess> {
  const secured = pairs === undefined ? [] : [JSON.stringify(pairs)]
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/bare-server.ts`, answer, ...secured], {
    stdout: 'pipe',
    stderr: 'inherit',
    signal,
  })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  const port = Number(new TextDecoder().decode(value))
  if (!(port > 0)) throw new Error(`the bare server did not start: ${answer}`)
  return {
    scheme: pairs === undefined ? 'http' : 'https',
    port,
    pid: child.pid,
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}

/** A port that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
