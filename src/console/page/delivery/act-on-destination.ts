import { html, type Markup } from '../../../lib/html.ts'
import { pauseDestination, resumeDestination } from '../../../operations/delivery/pause-destination.ts'
import { retryDeliveries } from '../../../operations/delivery/retry-deliveries.ts'
import { rotateDeliverySecret } from '../../../operations/delivery/rotate-delivery-secret.ts'
import { testDestination } from '../../../operations/delivery/test-destination.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/copy.ts'
import { mark } from '../../look/mark.ts'
import { isProved } from '../../session/session.ts'
import { captured } from '../captured.ts'
import { localTime } from '../local-time.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPageCall } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { notePageAct } from '../page-audit.ts'
import { exchangeText } from './exchange-text.ts'

/** Does what a button of a destination asks for: answers where to go on, or what is shown this once. */
export async function actOnDestination(call: AccountPageCall, box: ConsoleBox): Promise<Response | Markup> {
  const { account, fields, url } = call
  const named = { account: account.handle, name: fields.get('destination') ?? '' }
  const note = (action: string) => notePageAct(call, { action, subject: named.name, box })
  switch (fields.get('act')) {
    case 'pause':
      await pauseDestination(box, named)
      await note('destination.pause')
      return seeOther(url.pathname)
    case 'resume':
      await resumeDestination(box, named)
      await note('destination.resume')
      return seeOther(url.pathname)
    case 'retry':
      await retryDeliveries(box, { ...named, id: null, destination: named.name, failedOnly: false })
      await note('delivery.retry')
      return seeOther(url.pathname)
    case 'test': {
      const tested = await testDestination(box, named)
      await note('destination.test')
      return testNote(tested)
    }
    case 'secret': {
      if (!isProved(call.caller, box.clock.now())) return seeOther(`/prove?to=${url.pathname}`)
      const rotated = await rotateDeliverySecret(box, named)
      await note('destination.secret.rotate')
      return secretNote(rotated, account.settings.timezone)
    }
    default:
      return messagePage('nothingHere')
  }
}

function testNote({ name, attempt }: Awaited<ReturnType<typeof testDestination>>): Markup {
  const { outcome, error, exchange } = attempt
  const isTaken = outcome === 'delivered'
  return html`<div class="note" role="status"><p>${isTaken ? mark('taken', 'good') : mark('not taken', 'bad')} ${isTaken ? `"${name}" took the example.` : captured(error ?? `"${name}" did not take the example.`)}</p>
${exchange === '' ? null : exchangeText(exchange)}</div>`
}

const secretNote = (
  { name, secret, oldSignsUntil }: Awaited<ReturnType<typeof rotateDeliverySecret>>,
  timezone: string,
): Markup => html`<div class="note" role="status"><p>This is the new secret of "${name}". It is not shown again. Give it to the receiver;
until ${localTime(new Date(oldSignsUntil).toISOString(), timezone)} deliveries are signed with the one before as well.</p>${copyField({ id: 'secret', label: 'The new secret', text: secret })}</div>`
