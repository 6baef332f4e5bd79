import { canonicalAddress } from '../lib/ip.ts'

export interface PeerSource {
  requestIP(request: Request): Peer | null
  timeout(request: Request, seconds: number): void
}

/** Bytes that were sent and not acknowledged yet, by peer (`peerKey`). */
export type SendQueues = ReadonlyMap<string, number>

export interface Peer {
  address: string
  port: number
}

export const peerKey = ({ address, port }: Peer): string => `${canonicalAddress(address) ?? address} ${port}`

/** The send queues of the machine's TCP connections; `null` on systems that do not show them (all but Linux). */
export async function readSendQueues(): Promise<SendQueues | null> {
  try {
    return parseSendQueues(await Bun.file('/proc/self/net/tcp').text(), await optionalText('/proc/self/net/tcp6'))
  } catch {
    return null
  }
}

/** A system without IPv6 has no such file. */
const optionalText = (file: string): Promise<string> =>
  Bun.file(file)
    .text()
    .catch(() => '')

/** `sl local:port remote:port state tx_queue:rx_queue …`, in hex (proc_net_tcp in the kernel's documentation). */
const rowPattern = /^ *\d+: [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm

/** Reads the texts of `/proc/net/tcp` and `/proc/net/tcp6`. */
export function parseSendQueues(...tables: string[]): SendQueues {
  const queues = new Map<string, number>()
  for (const table of tables) {
    for (const [, address = '', port = '', queue = ''] of table.matchAll(rowPattern)) {
      const key = peerKey({ address: addressText(address), port: Number.parseInt(port, 16) })
      // Adds up the peer's connections to our other ports: a change in any of them shows.
      queues.set(key, (queues.get(key) ?? 0) + Number.parseInt(queue, 16))
    }
  }
  return queues
}

/** The kernel writes words of 32 bits in the machine's order, which is little-endian wherever this runs. */
function addressText(hex: string): string {
  const bytes = [...hex.matchAll(/.{8}/g)].flatMap(([word]) => [...Buffer.from(word, 'hex')].reverse())
  if (bytes.length === 4) return bytes.join('.')
  return Array.from({ length: 8 }, (_, i) => (((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0)).toString(16)).join(
    ':',
  )
}
