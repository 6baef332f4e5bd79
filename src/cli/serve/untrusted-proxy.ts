import type { Log } from '../../lib/log.ts'
import { writeProxyNote } from '../../storage/filesystem/folder-notes.ts'

/** Logged once, and stored for `doctor` and `refusals`. */
export function warnOfProxy(peer: string, dataDir: string, log: Log): void {
  log.warn(
    `A proxy at ${peer} sends X-Forwarded headers and is not trusted: all visitors share its budget. If it is yours, set in capture.toml: [server] trusted_proxies = ["${peer}"]`,
  )
  writeProxyNote(dataDir, { peer, seenAt: new Date().toISOString() }).catch(() =>
    log.warn('The note about the proxy could not be written.'),
  )
}
