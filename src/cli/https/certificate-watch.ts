import type { Config } from '../../config/config.ts'
import type { Certificates } from '../../https/certificates.ts'
import type { HttpsListener } from '../../listener/https-listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'

/** Keeps the certificates in use current while the service runs. */
export interface CertificateWatch {
  /** Another process has taken over. */
  drain(): void
  stop(): Promise<void>
}

export interface WatchParts {
  secure: HttpsListener
  certificates: Certificates
  parts: ListenerParts
  config: Config
  /** Those that were looked at. */
  hosts: readonly string[]
  stalled: Set<string>
}
