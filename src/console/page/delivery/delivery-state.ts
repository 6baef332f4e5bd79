import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { DeliveryJson } from '../../../operations/delivery/deliveries.ts'
import { inPages, inWords, mark } from '../../look/notice.ts'
import { senderText } from '../sender-text.ts'
import { captured, capturedValue, untilTime } from '../values.ts'

/** Said of a delivery in place of its state and next try: none gets through before then. */
export const waitsForMail = mark('waiting for mail setup', 'doubtful')

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
export const nextTry = ({ nextAt, paused }: DeliveryJson, timezone: string, now: number): Markup | null =>
  nextAt === null || paused || Date.parse(nextAt) <= now
    ? null
    : html`next ${untilTime(Date.parse(nextAt), timezone, now)}`

/** Why a delivery has not reached everybody. It may quote what a receiver said. */
export const reason = (error: string): Markup => html`<bdi>${inWords(capturedValue(inPages(error)))}</bdi>`

/** The same where another place has it whole: of what `httpPost` makes from an answer's status, only that status. */
export const shortReason = (error: string): string => /^The receiver (answered \d+)/.exec(error)?.[1] ?? inPages(error)

/** Whose lead was sent; `null`: the lead does not say. */
export const leadName = (who: string | null): Markup => captured(senderText(who))
