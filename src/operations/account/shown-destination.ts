import {
  type DestinationKind,
  destinationKinds,
  shownUrl,
  visitorMailKinds,
  waitsForConfirmation,
} from '../../account/destination.ts'
import type { DestinationReport } from '../../delivery/delivery-control.ts'
import { oneOf } from '../../lib/schema.ts'

export const destinationKind = oneOf([...destinationKinds, ...visitorMailKinds])

/** A destination without what is a secret of it. */
export interface ShownDestination {
  name: string
  kind: DestinationKind
  /** Addresses of mails, or the URL. */
  to: string
  forms: string[] | null
  /** Whether it gets only what visitors have confirmed by mail. */
  confirmed: boolean
  paused: boolean
  waiting: number
  failed: number
}

export const shownDestination = ({ destination, pause, waiting, failed }: DestinationReport): ShownDestination => ({
  name: destination.name,
  kind: destination.kind,
  to: 'url' in destination ? shownUrl(destination) : 'to' in destination ? destination.to.join(', ') : '',
  forms: 'forms' in destination && destination.forms !== null ? [...destination.forms] : null,
  confirmed: waitsForConfirmation(destination),
  paused: pause !== null,
  waiting,
  failed,
})
