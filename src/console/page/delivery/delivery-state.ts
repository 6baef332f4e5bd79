import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { DeliveryJson } from '../../../operations/delivery/deliveries.ts'
import { mark } from '../../look/notice.ts'
import { captured, capturedValue, cut, localTime, untilTime } from '../values.ts'

/** Said of a delivery in place of its tries: nothing was wrong with them. */
export const waitsForMail = html`${mark('waiting', 'doubtful')} <span class="soft">for mail setup</span>`

/** What a destination is called: those of a form's own mails by the form. */
export function destinationTitle(name: string, forms: readonly Pick<Form, 'id' | 'name'>[]): string {
  const [, kind, id] = /^(confirm|reply):(.+)$/.exec(name) ?? []
  if (kind === undefined) return name
  return `${kind === 'confirm' ? 'Confirmation' : 'Reply'} for ${forms.find((form) => form.id === id)?.name ?? id}`
}

export function stateMark({ state, paused, attempts }: DeliveryJson): Markup {
  if (state === 'delivered') return mark('delivered', 'good')
  if (state === 'failed') return mark('failed', 'bad')
  if (paused) return mark('paused', 'doubtful')
  return attempts > 0 ? mark('retrying', 'doubtful') : mark('waiting')
}

/** When a delivery is tried next, in `next in 4 min`; `null`: at once, or not before somebody acts. */
export const nextTry = ({ nextAt, paused }: DeliveryJson, now: number): Markup | null =>
  nextAt === null || paused || Date.parse(nextAt) <= now ? null : html`next ${untilTime(Date.parse(nextAt), now)}`

export const deliveryState = (delivery: DeliveryJson, timezone: string): Markup =>
  html`${stateMark(delivery)}${delivery.nextAt === null || delivery.paused ? null : html` next try ${localTime(delivery.nextAt, timezone)}`}`

const whoCharactersMax = 60

/** Whose lead was sent; absent: the lead does not say. */
export const leadName = (who = 'Somebody'): Markup => captured(cut(who, whoCharactersMax))

/** The same for titles. */
export const leadTitle = (who = 'Somebody'): string => cut(capturedValue(who), whoCharactersMax)
