import type { KeptName, KeptOrder } from '../../../src/https/certificate-store.ts'
import { openReader } from '../../../src/storage/sqlite/database/connection.ts'
import { SqliteCertificateStore, SqliteOrderLog } from '../../../src/storage/sqlite/https/certificate-store.ts'
import { eventually } from '../../harness/eventually.ts'
import type { Pebble } from '../../harness/pebble.ts'
import { BinaryBox, type BoxOptions } from './binary-box.ts'

/** A box of mode `auto` on ports 80 and 443 of the authority's own loopback address, which is where its names lead. */
export function autoBox(pebble: Pebble, { https, ...options }: BoxOptions = {}): Promise<BinaryBox> {
  const listeners = { listen: `${pebble.address}:443`, http_listen: `${pebble.address}:80` }
  const authority = { directory: pebble.directoryUrl, ca_file: pebble.caFile, resolvers: [pebble.dns.server] }
  return BinaryBox.make({ ...options, https: { mode: 'auto', ...listeners, ...authority, ...https } })
}

/** Lets the names lead to the box. */
export async function pointHere(pebble: Pebble, hosts: string[]): Promise<void> {
  for (const host of hosts) await pebble.dns.setA(host, pebble.address)
}

/** What the box keeps of a name; `null`: nothing yet. */
export async function keptName(box: BinaryBox, host: string): Promise<KeptName | null> {
  const reader = openReader(box.databaseFile)
  try {
    return await new SqliteCertificateStore(reader).name(host)
  } finally {
    reader.raw.close()
  }
}

export async function keptOrders(box: BinaryBox): Promise<KeptOrder[]> {
  const reader = openReader(box.databaseFile)
  try {
    return await new SqliteOrderLog(reader).since(0)
  } finally {
    reader.raw.close()
  }
}

/** Waits until what is kept of a name is as it should be. */
export async function untilName(box: BinaryBox, host: string, holds: (name: KeptName) => boolean): Promise<KeptName> {
  let found: KeptName | null = null
  try {
    await eventually(`${host} is as expected`, async () => {
      found = await keptName(box, host)
      return found !== null && holds(found)
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : ''}; it is ${JSON.stringify(found)}`)
  }
  return found as unknown as KeptName
}

export const isActive = ({ state }: KeptName): boolean => state === 'active'

/** A visitor's request over https, who believes this root alone; `null`: the certificate is not believed. */
export async function visit(
  pebble: Pebble,
  { host, path = '/launch', root }: { host: string; path?: string; root: string },
): Promise<{ status: number; text: string } | null> {
  try {
    const response = await fetch(`https://${pebble.address}${path}`, {
      headers: { host },
      tls: { ca: root, serverName: host },
      keepalive: false,
      redirect: 'manual',
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}

/** A request over plain HTTP; nothing is followed. */
export async function plainVisit(pebble: Pebble, host: string, path = '/launch'): Promise<Response> {
  return fetch(`http://${pebble.address}${path}`, { headers: { host }, redirect: 'manual', keepalive: false })
}
