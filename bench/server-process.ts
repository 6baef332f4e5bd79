import { createServer } from 'node:net'

/** A server under load, in a process of its own. */
export interface ServerProcess {
  port: number
  pid: number
  stop(): Promise<void>
}

/** What is compared with: it answers and does nothing else. It is gone when `signal` says so. */
export async function startBare(answer: string, signal: AbortSignal): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/bare-server.ts`, answer], {
    stdout: 'pipe',
    stderr: 'inherit',
    signal,
  })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  const port = Number(new TextDecoder().decode(value))
  if (!(port > 0)) throw new Error(`the bare server did not start: ${answer}`)
  return {
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
