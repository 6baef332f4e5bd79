import type { Config } from '../../config/config.ts'
import type { Certificates } from '../../https/certificates.ts'
import type { HttpsListener } from '../../listener/https-listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'

/** What watches over the certificates in use while a service leads. */
export interface CertificateWatch {
  /** Another process leads from now on. */
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
}
