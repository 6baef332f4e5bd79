import { html, type Markup } from '../../../lib/html.ts'
import { type ShownDeliveryJson, shownDeliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { retryDeliveries } from '../../../operations/delivery/retry-deliveries.ts'
import { showDelivery } from '../../../operations/delivery/show-delivery.ts'
import { inPages } from '../../look/operator-message.ts'
import { actForm } from '../act-form.ts'
import { captured, type Fact, factsTable } from '../captured.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { deliveryState } from './deliveries-page.ts'
import { exchangeText } from './destinations.ts'

/** `/a/ACCOUNT/deliveries/DELIVERY`: one delivery with the exchange of each try; a button tries it again. */
export const deliveryPage: AccountPage = {
  of: 'account',
  path: '/a/:account/deliveries/:delivery',
  scope: 'read',
  async show(call, box) {
    const delivery = shownDeliveryJson(await showDelivery(box, asked(call)))
    return {
      title: `Delivery to ${delivery.destination}`,
      body: html`${facts(delivery, call)}${may(call, 'admin') ? retryForm(delivery, call) : null}<h2>Exchanges</h2>${exchanges(delivery, call)}
<p class="more"><a href="/a/${call.account.handle}/deliveries">All deliveries</a></p>`,
    }
  },
  forms: { scope: 'admin', chosen: () => retry },
}

const retry = actForm(retryDeliveries, {
  input: ({ params }) => ({ delivery: params.delivery ?? '', failed: false }),
  shown: () => ({ notice: 'Trying now.' }),
})

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.delivery ?? '' })

function facts(delivery: ShownDeliveryJson, { account: { handle, settings } }: AccountPageCall): Markup {
  const { kind, submissionId, attempts, createdAt, lastError, id } = delivery
  return factsTable([
    ['State', deliveryState(delivery, settings.timezone)],
    ['Kind', kind],
    [
      'What',
      submissionId === null ? 'a report' : html`<a href="/a/${handle}/s/${submissionId}">the lead ${submissionId}</a>`,
    ],
    ['Created', localTime(createdAt, settings.timezone)],
    ['Tries', String(attempts)],
    ...(lastError === null ? [] : [['Last answer', captured(inPages(lastError))] as Fact]),
    ['Id', html`<code class="wrap">${id}</code>`],
  ])
}

const retryForm = ({ state, paused }: ShownDeliveryJson, { account: { handle } }: AccountPageCall): Markup =>
  paused && state === 'waiting'
    ? html`<p>It waits until you resume the destination under <a href="/a/${handle}/deliveries">Deliveries</a>.</p>`
    : html`<form method="post"><p class="do"><button>${state === 'delivered' ? 'Send again' : 'Try again now'}</button></p></form>`

/** The stored tries, and the exchange of one of them: all exchanges would make the page too long. */
function exchanges({ exchanges }: ShownDeliveryJson, { account: { settings }, url }: AccountPageCall): Markup {
  const chosen = exchanges.find(({ number }) => String(number) === url.searchParams.get('try')) ?? exchanges.at(-1)
  if (chosen === undefined)
    return html`<p>No exchange is stored: none has taken place yet, or the last one was more than 30 days ago.</p>`
  const links = exchanges.map(({ number, at, status, error }) => {
    const current = number === chosen.number ? html` aria-current="true"` : null
    return html`<li><a href="${url.pathname}?try=${number}"${current}>Try ${number}</a> ${localTime(at, settings.timezone)} · ${captured(error === null ? status : inPages(error))}</li>`
  })
  return html`<ol class="tries">${links}</ol><h3>Try ${chosen.number}</h3>${exchangeText(chosen.exchange)}`
}
