import { html, type Markup } from '../../../lib/html.ts'
import type { DeliveryJson } from '../../../operations/delivery/deliveries.ts'
import { mark } from '../../look/notice.ts'
import { captured, cut, localTime } from '../values.ts'

/** Said of a delivery in place of its tries: nothing was wrong with them. */
export const waitsForMail = mark('waiting for mail setup', 'doubtful')

export function stateMark({ state, paused, attempts }: DeliveryJson): Markup {
  if (state === 'delivered') return mark('delivered', 'good')
  if (state === 'failed') return mark('failed', 'bad')
  if (paused) return mark('paused', 'doubtful')
  return attempts > 0 ? mark('retrying', 'doubtful') : mark('waiting')
}

export const deliveryState = (delivery: DeliveryJson, timezone: string): Markup =>
  html`${stateMark(delivery)}${delivery.nextAt === null || delivery.paused ? null : html` next try ${localTime(delivery.nextAt, timezone)}`}`

const whoCharactersMax = 60

/** Whose lead was sent; absent: the lead does not say. */
export const leadName = (who = 'Somebody'): Markup => captured(cut(who, whoCharactersMax))
