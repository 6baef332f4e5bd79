import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** In /proc/net/tcp: a socket that listens. */
const listening = '0A'
const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const portAt = 1
const stateAt = 3
const inodeAt = 9

/** Whether any process listens on the port, on any address. */
export const isListenedOn = (port: number): boolean => listeningSockets(port).size > 0

interface PortHolder {
  pid: number
  /** `nginx (process 4711)` */
  text: string
}

/**
 * The process that listens on a port; `null`: unknown. Root sees all processes, other users only their own (proc(5)).
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

/** The target of a descriptor's link: `socket:[12345]`. */
function listeningSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = tables.flatMap((table) => textOf(table).split('\n').slice(1))
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const found = fields.filter((field) => field[portAt]?.endsWith(suffix) && field[stateAt] === listening)
  return new Set(found.map((field) => `socket:[${field[inodeAt]}]`))
}

// Skip unreadable entries: processes end meanwhile, and most belong to other users.

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
