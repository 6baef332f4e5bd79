import type { Peer } from '../lib/send-queues.ts'

/** What the listener needs of Bun's server. */
export interface PeerSource {
  requestIP(request: Request): Peer | null
  timeout(request: Request, seconds: number): void
}
