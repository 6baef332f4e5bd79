import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import {
  retryDeliveries,
  type ShownDeliveryJson,
  showDelivery,
  shownDeliveryJson,
} from '../../../operations/delivery/deliveries.ts'
import { listDestinations } from '../../../operations/delivery/destinations.ts'
import { sendersOf } from '../../../operations/submission/senders.ts'
import { inPages } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { actForm } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { captured, type Fact, factsTable, localTime } from '../values.ts'
import { leadName, nextTry, stateMark, waitsForMail } from './delivery-state.ts'
import { exchangeText, kindWords, mailNote, mailWaits } from './destinations.ts'

/** `/a/ACCOUNT/deliveries/DELIVERY`: one delivery with the exchange of each try; a button tries it again. */
export const deliveryPage: AccountPage = {
  path: '/a/:account/deliveries/:delivery',
  scope: 'read',
  async show(call, box) {
    const { id: accountId, handle } = call.account
    const delivery = shownDeliveryJson(await showDelivery(box, asked(call)))
    const { destination, submissionId, state } = delivery
    const senders = await sendersOf(box, accountId, submissionId === null ? [] : [submissionId])
    const destinations = (await listDestinations(box, handle)).filter(({ name }) => name === destination)
    const isStuck = state === 'waiting' && destinations.some(mailWaits)
    const retry = isStuck || !may(call, 'admin') ? null : retryForm(delivery, call)
    return {
      title: `Delivery to ${destination}`,
      back: backToAll(call.account),
      body: html`${isStuck ? mailNote(destinations, call.caller) : null}${facts(delivery, { call, now: box.clock.now(), isStuck, who: senders.get(submissionId ?? '') })}${retry}${isStuck ? null : exchanges(delivery, call)}${ids(delivery)}`,
    }
  },
  forms: { scope: 'admin', chosen: () => retry },
}

export const backToAll = ({ handle }: StoredAccount): Markup => backLink(`/a/${handle}/deliveries`, 'All deliveries')

const retry = actForm(retryDeliveries, {
  input: ({ params }) => ({ delivery: params.delivery ?? '', failed: false }),
  shown: () => ({ notice: 'Trying now.' }),
})

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.delivery ?? '' })

interface Beside {
  call: AccountPageCall
  now: number
  /** Whether nothing is sent there before the box sends mail. */
  isStuck: boolean
  /** Absent: the lead does not say. */
  who: string | undefined
}

function facts(delivery: ShownDeliveryJson, { call, now, isStuck, who }: Beside): Markup {
  const { handle, settings } = call.account
  const { kind, submissionId, attempts, createdAt, lastError } = delivery
  const what = submissionId === null ? 'A report' : html`<a href="/a/${handle}/s/${submissionId}">${leadName(who)}</a>`
  return factsTable([
    ['State', isStuck ? waitsForMail : html`${stateMark(delivery)} ${nextTry(delivery, now)}`],
    ...(lastError === null || isStuck ? [] : [['Last answer', captured(inPages(lastError))] as Fact]),
    [submissionId === null ? 'What' : 'Lead', what],
    ['Kind', kindWords[kind]],
    ['Created', localTime(createdAt, settings.timezone)],
    ...(isStuck ? [] : [['Tries', String(attempts)] as Fact]),
  ])
}

const ids = ({ id, submissionId }: ShownDeliveryJson): Markup =>
  html`<details class="more"><summary>Details</summary>${factsTable([
    ['Delivery', html`<code class="wrap">${id}</code>`],
    ...(submissionId === null ? [] : [['Lead', html`<code class="wrap">${submissionId}</code>`] as Fact]),
  ])}</details>`

const retryForm = ({ state, paused }: ShownDeliveryJson, { account: { handle } }: AccountPageCall): Markup =>
  paused && state === 'waiting'
    ? html`<p>It waits until you resume the destination under <a href="/a/${handle}/deliveries">Deliveries</a>.</p>`
    : html`<form method="post"><p class="do">${state === 'delivered' ? html`<button class="second">Send again</button>` : html`<button>Try again now</button>`}</p></form>`

/** The stored tries, and the exchange of one of them: all exchanges would make the page too long. */
function exchanges({ exchanges }: ShownDeliveryJson, { account: { settings }, url }: AccountPageCall): Markup {
  const chosen = exchanges.find(({ number }) => String(number) === url.searchParams.get('try')) ?? exchanges.at(-1)
  if (chosen === undefined)
    return html`<h2>Exchanges</h2><p>No exchange is stored: none has taken place yet, or the last one was more than 30 days ago.</p>`
  const links = exchanges.map(({ number, at, status, error }) => {
    const current = number === chosen.number ? html` aria-current="true"` : null
    const answer = status === null ? captured(inPages(error ?? '')) : `answered ${status}`
    return html`<li><a href="${url.pathname}?try=${number}"${current}>Try ${number}</a> <span class="soft">${localTime(at, settings.timezone)} · ${answer}</span></li>`
  })
  return html`<h2>Exchanges</h2><ol class="tries">${links}</ol>${chosen.exchange === '' ? null : exchangeText(chosen.exchange)}`
}
