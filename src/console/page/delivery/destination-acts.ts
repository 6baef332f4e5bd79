import { html, type Markup } from '../../../lib/html.ts'
import { pauseDestination, resumeDestination } from '../../../operations/delivery/pause-destination.ts'
import { retryDeliveries } from '../../../operations/delivery/retry-deliveries.ts'
import { rotateDeliverySecret } from '../../../operations/delivery/rotate-delivery-secret.ts'
import { testDestination } from '../../../operations/delivery/test-destination.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/copy.ts'
import { mark } from '../../look/mark.ts'
import { doneNote } from '../../look/notice.ts'
import { inPages } from '../../look/operator-message.ts'
import { publisherOf } from '../../publisher.ts'
import { captured } from '../captured.ts'
import { localTime } from '../local-time.ts'
import type { AccountPageCall, PageAct, PageContent } from '../page.ts'
import { exchangeText } from './exchange-text.ts'

const named = ({ account, fields }: AccountPageCall) => ({
  account: account.handle,
  name: fields.get('destination') ?? '',
})
const subject = (call: AccountPageCall): string => named(call).name

/** The acts of a destination's buttons. @param content the page with a result that is shown once */
export const destinationActs = (
  content: (call: AccountPageCall, box: ConsoleBox, shown: Markup) => Promise<PageContent>,
): Record<string, PageAct<AccountPageCall>> => ({
  pause: {
    noted: { action: 'destination.pause', subject },
    async run(call, box) {
      await pauseDestination(box, named(call))
      return { said: `Paused ${subject(call)}.` }
    },
  },
  resume: {
    noted: { action: 'destination.resume', subject },
    async run(call, box) {
      await resumeDestination(box, named(call))
      return { said: `Resumed ${subject(call)}.` }
    },
  },
  retry: {
    noted: { action: 'delivery.retry', subject },
    async run(call, box) {
      const { account, name } = named(call)
      await retryDeliveries(box, { account, id: null, destination: name, failedOnly: false })
      return { said: `Trying again at ${name}.` }
    },
  },
  test: {
    noted: { action: 'destination.test', subject },
    run: async (call, box) => ({
      answer: await content(call, box, testNote(await testDestination(box, named(call)))),
    }),
  },
  secret: {
    noted: { action: 'destination.secret.rotate', subject },
    asksAgain: true,
    async run(call, box) {
      const rotated = await rotateDeliverySecret(box, { ...named(call), by: publisherOf(call.caller) })
      return { answer: await content(call, box, secretNote(rotated, call.account.settings.timezone)) }
    },
  },
})

function testNote({ name, attempt }: Awaited<ReturnType<typeof testDestination>>): Markup {
  const { outcome, error, exchange } = attempt
  const isTaken = outcome === 'delivered'
  return doneNote(html`<p>${isTaken ? mark('accepted', 'good') : mark('not accepted', 'bad')} ${isTaken ? `"${name}" accepted the example.` : captured(error !== null ? inPages(error) : `"${name}" did not accept the example.`)}</p>
${exchange === '' ? null : exchangeText(exchange)}`)
}

const secretNote = (
  { name, secret, oldSignsUntil }: Awaited<ReturnType<typeof rotateDeliverySecret>>,
  timezone: string,
): Markup =>
  doneNote(html`<p>This is the new secret of "${name}". It is not shown again. Give it to the receiver:
until ${localTime(new Date(oldSignsUntil).toISOString(), timezone)} deliveries are also signed with the old secret.</p>${copyField({ id: 'secret', label: 'The new secret', text: secret })}`)
