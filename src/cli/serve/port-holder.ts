import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** In /proc/net/tcp: a socket that listens. */
const listening = '0A'
const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const portAt = 1
const stateAt = 3
const inodeAt = 9

/** Whether anybody listens on a port of this machine, on whichever address. */
export const isListenedOn = (port: number): boolean => listeningSockets(port).size > 0

export interface PortHolder {
  pid: number
  /** `nginx (process 4711)` */
  text: string
}

/**
 * Who listens on a port of this machine, as far as this user may see; `null`: it cannot be said. Root sees everybody's,
 * others see their own (proc(5)).
 */
export function portHolder(port: number): PortHolder | null {
  const sockets = listeningSockets(port)
  if (sockets.size === 0) return null
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!namesIn(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))) continue
    return { pid: Number(pid), text: `${textOf(`/proc/${pid}/comm`).trim()} (process ${pid})` }
  }
  return null
}

/** What the links of descriptors look like: `socket:[12345]`. */
function listeningSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = tables.flatMap((table) => textOf(table).split('\n').slice(1))
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const found = fields.filter((field) => field[portAt]?.endsWith(suffix) && field[stateAt] === listening)
  return new Set(found.map((field) => `socket:[${field[inodeAt]}]`))
}

// Processes come and go, and most are somebody else's: what cannot be read is passed over.

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
