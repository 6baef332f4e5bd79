import { html, type Markup } from '../../../lib/html.ts'
import type { AppliedUpload } from '../../../operations/upload/apply-upload.ts'
import { copyField } from '../../look/copy.ts'

/** The keys and secrets that a publication made. Only this page shows them, and nothing on the way stores them. */
export function shownOnce({
  trackingKey,
  deliverySecrets,
}: Pick<AppliedUpload, 'trackingKey' | 'deliverySecrets'>): Markup {
  const made = [
    ...(trackingKey === null ? [] : [{ name: 'Tracking key', text: trackingKey }]),
    ...deliverySecrets.map(({ name, secret }) => ({ name: `Secret of the delivery ${name}`, text: secret })),
  ]
  return html`${made.map(({ name, text }, place) => copyField({ id: `once-${place}`, label: `${name}, shown only once`, text }))}`
}
