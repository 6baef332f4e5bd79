import { rateLimitAddress } from '../../lib/ip.ts'
import { type Peer, type PeerSource, peerKey, type SendQueues } from '../peer-source.ts'

/** A download without progress for this long is cut. */
const stalledMs = 60_000
const watchMs = 5000
/** Bun's shortest idle timeout: it then closes the connection within seconds. */
const cutSeconds = 1

/** Descriptors reserved for the database, the listener, the log and other uses. */
const descriptorsReserved = 64
/** A download's connection and file, and the same number for connections of other visitors. */
const descriptorsPerDownload = 4
const downloadsMax = 1000
const downloadsPerAddressMax = 32
/** A browser opens six connections to a host. */
const downloadsPerAddressMin = 6

/** Limits the bodies being sent from the disk at once. */
interface DownloadBounds {
  openMax: number
  openPerAddressMax: number
}

/** @param descriptors the process's limit (RLIMIT_NOFILE) */
export function downloadBounds(descriptors: number): DownloadBounds {
  const openMax = within((descriptors - descriptorsReserved) / descriptorsPerDownload, {
    min: downloadsPerAddressMin,
    max: downloadsMax,
  })
  const openPerAddressMax = within(openMax / 4, { min: downloadsPerAddressMin, max: downloadsPerAddressMax })
  return { openMax, openPerAddressMax }
}

const within = (n: number, { min, max }: { min: number; max: number }): number =>
  Math.floor(Math.min(max, Math.max(min, n)))

interface Downloader {
  request: Request
  server: PeerSource | null
  clientAddress: string
}

interface OpenDownload {
  server: PeerSource
  peer: Peer
  address: string
  sendQueue: number | undefined
  progressAtMs: number
}

interface DownloadParts {
  bounds: DownloadBounds
  sendQueues: () => Promise<SendQueues | null>
  monotonicMs: () => number
  pace?: { stalledMs: number; watchMs: number }
}

/**
 * Bodies being sent from the disk. Each needs two descriptors, so their number is limited per address and in total, and one that
 * nobody reads is cut.
 *
 * Bun's own idle timeout cannot tell a slow reader from a dead one: a proxy accepts megabytes into buffers and then reads at its
 * visitor's pace. The kernel's send queue, however, shrinks with every piece read.
 */
export class Downloads {
  private readonly open = new Map<Request, OpenDownload>()
  private watch: Timer | null = null
  private readonly pace: { stalledMs: number; watchMs: number }

  constructor(private readonly parts: DownloadParts) {
    this.pace = parts.pace ?? { stalledMs, watchMs }
  }

  /** Takes a place, or returns the reached limit. Call it right before sending the body. */
  begin({ request, server, clientAddress }: Downloader): 'begun' | 'address' | 'box' {
    const peer = server?.requestIP(request)
    // The client is gone; the answer goes nowhere.
    if (!server || !peer) return 'begun'
    const address = rateLimitAddress(clientAddress)
    const { openMax, openPerAddressMax } = this.parts.bounds
    if (this.isFull(address)) this.forgetEnded()
    if (this.openOf(address) >= openPerAddressMax) return 'address'
    if (this.open.size >= openMax) return 'box'
    const progressAtMs = this.parts.monotonicMs()
    this.open.set(request, { server, peer, address, sendQueue: undefined, progressAtMs })
    this.watch ??= setInterval(() => this.cutStalled(), this.pace.watchMs).unref()
    // Bun resets the idle timeout when it starts sending a file, so lift it only afterwards.
    setImmediate(() => server.timeout(request, 0))
    return 'begun'
  }

  /** For a body sent from memory: it may pause as long, and Bun itself detects progress. */
  allowPauses({ request, server }: Downloader): void {
    setImmediate(() => server?.timeout(request, Math.ceil(this.pace.stalledMs / 1000)))
  }

  stop(): void {
    if (this.watch !== null) clearInterval(this.watch)
    this.watch = null
    this.open.clear()
  }

  private isFull(address: string): boolean {
    const { openMax, openPerAddressMax } = this.parts.bounds
    return this.open.size >= openMax || this.openOf(address) >= openPerAddressMax
  }

  private openOf(address: string): number {
    let count = 0
    for (const download of this.open.values()) if (download.address === address) count++
    return count
  }

  /** The server knows a request's peer only while answering it. */
  private forgetEnded(): void {
    for (const [request, { server }] of this.open) if (server.requestIP(request) === null) this.open.delete(request)
    if (this.open.size === 0) this.stop()
  }

  private async cutStalled(): Promise<void> {
    this.forgetEnded()
    if (this.open.size === 0) return
    const queues = await this.parts.sendQueues()
    const nowMs = this.parts.monotonicMs()
    for (const [request, download] of this.open) {
      if (queues === null) this.leaveToIdleTimeout(request, download)
      else if (this.hasProgressed(download, queues)) download.progressAtMs = nowMs
      else if (nowMs - download.progressAtMs >= this.pace.stalledMs) download.server.timeout(request, cutSeconds)
    }
  }

  /** For systems without visible queues. Set it once, since each call restarts the timeout. */
  private leaveToIdleTimeout(request: Request, download: OpenDownload): void {
    if (download.sendQueue !== undefined) return
    download.sendQueue = 0
    download.server.timeout(request, Math.ceil(this.pace.stalledMs / 1000))
  }

  /** An empty queue means that the peer is waiting for this box. */
  private hasProgressed(download: OpenDownload, queues: SendQueues): boolean {
    const before = download.sendQueue
    download.sendQueue = queues.get(peerKey(download.peer)) ?? 0
    return download.sendQueue === 0 || download.sendQueue !== before
  }
}

/** Assumed where the system does not say: the lowest limit of common systems. */
const assumed = 256

/** How many descriptors (RLIMIT_NOFILE, soft) this process may hold. */
export async function descriptorLimit(): Promise<number> {
  try {
    return parseDescriptorLimit(await Bun.file('/proc/self/limits').text()) ?? assumed
  } catch {
    return assumed
  }
}

/** Reads the text of `/proc/<pid>/limits` (proc_pid_limits(5)); `null`: the limit is missing. */
export function parseDescriptorLimit(limits: string): number | null {
  const [, soft] = /^Max open files\s+(\d+|unlimited)\s/m.exec(limits) ?? []
  if (soft === undefined) return null
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}
