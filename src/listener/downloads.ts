import { rateLimitAddress } from '../lib/ip.ts'
import { type Peer, peerKey, type SendQueues } from '../lib/send-queues.ts'
import type { PeerSource } from './peer-source.ts'

/** A download that makes no progress for so long is cut. */
const stalledMs = 60_000
/** How often progress is looked for. */
const watchMs = 5000
/** The shortest idle time that Bun knows: it then closes the connection within some seconds. */
const cutSeconds = 1

/** Descriptors that downloads leave alone: of the database, the listener, the log, and what a connection needs besides. */
const descriptorsReserved = 64
/** A download's connection and file, and as much again for the connections of other visitors. */
const descriptorsPerDownload = 4
const downloadsMax = 1000
const downloadsPerAddressMax = 32
/** A browser opens six connections to a host. */
const downloadsPerAddressMin = 6

/** How many bodies may be on their way from the disk at once. */
export interface DownloadBounds {
  openMax: number
  openPerAddressMax: number
}

/** @param descriptors what this process may hold (RLIMIT_NOFILE) */
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

/** Who asks for a download, and the server that answers. */
export interface Downloader {
  request: Request
  server: PeerSource | null
  clientAddress: string
}

interface OpenDownload {
  server: PeerSource
  peer: Peer
  /** What the per-address bound counts by. */
  address: string
  sendQueue: number | undefined
  progressAtMs: number
}

export interface DownloadParts {
  bounds: DownloadBounds
  sendQueues: () => Promise<SendQueues | null>
  monotonicMs: () => number
  pace?: { stalledMs: number; watchMs: number }
}

/**
 * Bodies that are on their way from the disk. Each holds two descriptors, so their number is bounded, for an address and
 * in all, and one that nobody reads is cut.
 *
 * Bun's own idle timeout cannot tell a slow reader from none: a proxy takes megabytes at once into the buffers between
 * them and then reads at its visitor's pace. What the system still has to send to the peer moves with every piece read.
 */
export class Downloads {
  private readonly open = new Map<Request, OpenDownload>()
  private watch: Timer | null = null
  private readonly pace: { stalledMs: number; watchMs: number }

  constructor(private readonly parts: DownloadParts) {
    this.pace = parts.pace ?? { stalledMs, watchMs }
  }

  /** Takes a place, or says whose bound is reached. To be asked right before the body is answered. */
  begin({ request, server, clientAddress }: Downloader): 'begun' | 'address' | 'box' {
    const peer = server?.requestIP(request)
    // Whoever has gone is answered into the void.
    if (!server || !peer) return 'begun'
    const address = rateLimitAddress(clientAddress)
    const { openMax, openPerAddressMax } = this.parts.bounds
    if (this.isFull(address)) this.forgetEnded()
    if (this.openOf(address) >= openPerAddressMax) return 'address'
    if (this.open.size >= openMax) return 'box'
    const progressAtMs = this.parts.monotonicMs()
    this.open.set(request, { server, peer, address, sendQueue: undefined, progressAtMs })
    this.watch ??= setInterval(() => this.cutStalled(), this.pace.watchMs).unref()
    // Bun sets the idle timeout anew when it begins to send a file, so it is lifted only after that.
    setImmediate(() => server.timeout(request, 0))
    return 'begun'
  }

  /** For a body that is sent from memory: it may pause as long, and Bun sees that it goes on. */
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

  /** The server knows the peer of a request for as long as it answers it. */
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

  /** Where the system shows no queues. Set once: each time begins anew. */
  private leaveToIdleTimeout(request: Request, download: OpenDownload): void {
    if (download.sendQueue !== undefined) return
    download.sendQueue = 0
    download.server.timeout(request, Math.ceil(this.pace.stalledMs / 1000))
  }

  /** An empty queue is the peer waiting for us. */
  private hasProgressed(download: OpenDownload, queues: SendQueues): boolean {
    const before = download.sendQueue
    download.sendQueue = queues.get(peerKey(download.peer)) ?? 0
    return download.sendQueue === 0 || download.sendQueue !== before
  }
}
