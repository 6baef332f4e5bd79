import type { MailServer } from './mail/mail-server.ts'
import type { DeliveryState } from './outbox.ts'

/** Everything the delivering thread learns at its start. */
export interface DeliverySettings {
  databaseFile: string
  /** CIDRs, of `[delivery] allow_private`. */
  allowPrivate: readonly string[]
  /** Certificates (PEM) trusted for receivers besides the system's. */
  ca: string | null
  /** `null`: the box sends no mail. */
  mailServer: MailServer | null
  /** The origin of a connected domain, with `{host}` for its name: `https://{host}:8443`. */
  baseTemplate: string
  ownPorts: readonly number[]
}

/** From the delivering thread to the serving one. */
export interface DeliveryNotice {
  counts: Record<DeliveryState, number>
}
