import { html, type Markup } from '../../../lib/html.ts'
import type { AppliedUpload } from '../../../operations/upload/apply-upload.ts'

/** The keys and secrets that a publication made. Only this page shows them, and nothing on the way stores them. */
export function shownOnce({
  trackingKey,
  deliverySecrets,
}: Pick<AppliedUpload, 'trackingKey' | 'deliverySecrets'>): Markup {
  const made = [
    ...(trackingKey === null ? [] : [{ name: 'Tracking key', value: trackingKey }]),
    ...deliverySecrets.map(({ name, secret }) => ({ name: `Secret of the delivery ${name}`, value: secret })),
  ]
  return html`${made.map(({ name, value }) => html`<p>${name}, shown only once: <code class="wrap">${value}</code></p>`)}`
}
