import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Revision } from '../../account/account-store.ts'
import type { AlertState } from '../../operations/alert/alert-news.ts'
import type { AlertNote } from '../../operations/alert/alerter.ts'
import type { UntrustedProxy } from '../../operations/box.ts'
import { isAlive } from '../lock/folder-lock.ts'

const auditNote = 'audit-logged.json'

/** Up to which line a server has logged the audit log; `null`: nothing readable. */
export async function readAuditNote(dataDir: string): Promise<number | null> {
  try {
    const { seq } = JSON.parse(await readFile(join(dataDir, auditNote), 'utf8')) as Record<string, unknown>
    return Number.isSafeInteger(seq) ? (seq as number) : null
  } catch {
    return null
  }
}

export const writeAuditNote = (dataDir: string, seq: number): Promise<void> =>
  writeFile(join(dataDir, auditNote), JSON.stringify({ seq }))

const proxyNote = 'untrusted-proxy.json'
const noteCharactersMax = 1000

/** What a running server noted in its data folder; `null`: nothing readable. */
export async function readProxyNote(dataDir: string): Promise<UntrustedProxy | null> {
  const text = await readFile(join(dataDir, proxyNote), 'utf8').catch(() => '')
  try {
    const { peer, seenAt } = JSON.parse(text.slice(0, noteCharactersMax)) as Record<string, unknown>
    return typeof peer === 'string' && typeof seenAt === 'string' ? { peer, seenAt } : null
  } catch {
    return null
  }
}

export const writeProxyNote = (dataDir: string, note: UntrustedProxy): Promise<void> =>
  writeFile(join(dataDir, proxyNote), JSON.stringify(note))

/** A service, and the box's revision that its visitors see. */
interface Adopted {
  pid: number
  revision: Revision
}

const adoptedNote = 'adopted.json'

/** Tells commands which revision this process serves. */
export const noteAdopted = (dataDir: string, revision: Revision): void =>
  writeFileSync(join(dataDir, adoptedNote), JSON.stringify({ pid: process.pid, revision } satisfies Adopted), {
    mode: 0o600,
  })

/** The revision that visitors of the running service see; `null`: none seems to run. */
export function adoptedRevision(dataDir: string): Revision | null {
  try {
    const { pid, revision } = JSON.parse(readFileSync(join(dataDir, adoptedNote), 'utf8')) as Adopted
    return isAlive(pid) ? revision : null
  } catch {
    return null
  }
}

const alertsNote = 'alerts.json'

/** What alerts have said. It can be lost: what needs attention is said again then. */
export const alertNote = (dataDir: string): AlertNote => ({
  read() {
    try {
      return JSON.parse(readFileSync(join(dataDir, alertsNote), 'utf8')) as AlertState
    } catch {
      return {}
    }
  },
  write(state) {
    const file = join(dataDir, alertsNote)
    writeFileSync(`${file}.unfinished`, JSON.stringify(state), { mode: 0o600 })
    renameSync(`${file}.unfinished`, file)
  },
})
