import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { compileTrustedProxies, isTrustedProxy } from '../lib/forwarded-client.ts'
import type { Log } from '../lib/log.ts'

/** What a running server noted: a proxy that it does not trust passes visitors on to it (contract section 2). */
export interface UntrustedProxy {
  peer: string
  /** ISO 8601. */
  seenAt: string
}

const noteCharactersMax = 1000

/** The server's note, unless the proxy has been trusted since. */
export async function untrustedProxyNote({ dataDir, server }: Config): Promise<UntrustedProxy | null> {
  const note = await readNote(join(dataDir, 'untrusted-proxy.json'))
  return note !== null && isTrustedProxy(note.peer, compileTrustedProxies(server.trustedProxies)) ? null : note
}

async function readNote(file: string): Promise<UntrustedProxy | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  try {
    const { peer, seenAt } = JSON.parse(text.slice(0, noteCharactersMax)) as Record<string, unknown>
    return typeof peer === 'string' && typeof seenAt === 'string' ? { peer, seenAt } : null
  } catch {
    return null
  }
}

export const untrustedProxyFound = ({ peer, seenAt }: UntrustedProxy): string =>
  `A proxy at ${peer} passes visitors on and is not trusted (seen ${seenAt}): all visitors share one budget.`

/** The line that makes it trusted, beside those that are. */
export const untrustedProxyAdvice = ({ peer }: UntrustedProxy, { server }: Config): string =>
  `If it is yours, set in capture.toml: [server] trusted_proxies = ${JSON.stringify([...server.trustedProxies, peer])}, and start the server again.`

/** Said once in the log, and kept for `doctor` and `refusals` to repeat. */
export function warnOfProxy(peer: string, dataDir: string, log: Log): void {
  log.warn(
    `A proxy at ${peer} sends X-Forwarded headers and is not trusted: all visitors share its budget. If it is yours, set in capture.toml: [server] trusted_proxies = ["${peer}"]`,
  )
  writeFile(join(dataDir, 'untrusted-proxy.json'), JSON.stringify({ peer, seenAt: new Date().toISOString() })).catch(
    () => log.warn('The note about the proxy could not be written.'),
  )
}
