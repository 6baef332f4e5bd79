import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import type { PairText } from '../../src/https/certificate-pair.ts'
import { eventually } from './eventually.ts'
import { ownPort } from './loopback.ts'

/** Debian's redis-tools has the server's program under another name, and starts no service. */
const programs = ['valkey-server', 'redis-server', 'redis-check-rdb']

/** A real Valkey or Redis on loopback, which keeps nothing on a disk. */
export interface Valkey extends AsyncDisposable {
  port: number
  url: string
  start(): Promise<void>
  /** Ends it at once: what it knew is gone. */
  crash(): Promise<void>
  /** It stands still until the disposal: connections stay, and nothing answers. */
  frozen(): Disposable
  /** As an administrator: `SCRIPT FLUSH`, say. */
  tell(...command: [string, ...string[]]): Promise<unknown>
}

interface ValkeyOptions {
  password?: string
  /** It answers over TLS alone then. */
  tls?: PairText
}

/** @throws when `install.sh --dev` has not run */
export async function startValkey({ password, tls }: ValkeyOptions = {}): Promise<Valkey> {
  const program = programs.map((name) => Bun.which(name)).find((path) => path !== null)
  if (program === undefined) throw new Error('There is no Valkey or Redis. Install it with ./install.sh --dev')
  const dir = mkdtempSync(join(tmpdir(), 'capture-valkey-'))
  const port = ownPort()
  const settings = ['--bind', '127.0.0.1', '--save', '', '--dir', dir]
  if (password !== undefined) settings.push('--requirepass', password)
  settings.push(...(tls === undefined ? ['--port', String(port)] : tlsSettings(dir, port, tls)))
  const scheme = tls === undefined ? 'redis' : 'rediss'
  const url = `${scheme}://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`
  let child: Bun.Subprocess | null = null
  const tell: Valkey['tell'] = async (command, ...args) => {
    const client = new RedisClient(url, { autoReconnect: false, ...(tls && { tls: { rejectUnauthorized: false } }) })
    try {
      await client.connect()
      return await client.send(command, args)
    } finally {
      client.close()
    }
  }
  const crash = async (): Promise<void> => {
    child?.kill('SIGKILL')
    await child?.exited
    child = null
  }
  const start = async (): Promise<void> => {
    child = Bun.spawn([program, ...settings], { argv0: 'redis-server', stdin: 'ignore', stdout: 'ignore' })
    await eventually('Valkey answers', async () => (await tell('PING').catch(() => null)) === 'PONG')
  }
  await start()
  return {
    ...{ port, url, start, crash, tell },
    frozen() {
      child?.kill('SIGSTOP')
      return { [Symbol.dispose]: () => void child?.kill('SIGCONT') }
    },
    async [Symbol.asyncDispose]() {
      await crash()
      rmSync(dir, { recursive: true })
    },
  }
}

function tlsSettings(dir: string, port: number, { certificate, key }: PairText): string[] {
  const files = { '--tls-cert-file': certificate, '--tls-key-file': key }
  const settings = ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no']
  for (const [setting, text] of Object.entries(files)) {
    const file = join(dir, setting.slice(2))
    writeFileSync(file, text, { mode: 0o600 })
    settings.push(setting, file)
  }
  return settings
}
