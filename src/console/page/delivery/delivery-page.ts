import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import {
  retryDeliveries,
  type ShownDeliveryJson,
  showDelivery,
  shownDeliveryJson,
} from '../../../operations/delivery/deliveries.ts'
import { obstacleTo } from '../../../operations/delivery/destinations.ts'
import { sendersOf } from '../../../operations/submission/senders.ts'
import { notice } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { actForm } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { senderText } from '../sender-text.ts'
import { type Fact, factsTable, localTime } from '../values.ts'
import { destinationTitle, nextTry, reason, shortReason, stateMark, waitsForMail } from './delivery-state.ts'
import { exchangeText, isWaitingForMail, kindWords, mailNote, whyNot } from './destinations.ts'

/** `/a/ACCOUNT/deliveries/DELIVERY`: one delivery with the exchange of each try; a button tries it again. */
export const deliveryPage: AccountPage = {
  path: '/a/:account/deliveries/:delivery',
  scope: 'read',
  async show(call, box) {
    const { id: accountId } = call.account
    const delivery = shownDeliveryJson(await showDelivery(box, asked(call)))
    const { destination, submissionId } = delivery
    const senders = await sendersOf(box, accountId, submissionId === null ? [] : [submissionId])
    const who = senders.get(submissionId ?? '') ?? null
    const isStuck = isWaitingForMail(delivery, box)
    const obstacle = obstacleTo(delivery, box.config)
    const retryPart = obstacle !== null || !may(call, 'admin') ? null : retryForm(delivery, call)
    const failure = isStuck ? null : failureNote(delivery, { call, why: whyNot(delivery, box, call.caller), retryPart })
    return {
      title: `${submissionId === null ? 'Report' : senderText(who)} to ${destinationTitle(destination, call.account.forms)}`,
      back: backToAll(call.account),
      body: html`${about(delivery, { call, now: box.clock.now(), isStuck })}${isStuck ? mailNote({ obstacle }, call.caller) : failure}${failure === null ? retryPart : null}${obstacle !== null && !delivery.exchanges.some(hasLeft) ? null : tries(delivery, call)}${ids(delivery)}`,
    }
  },
  forms: { scope: 'admin', chosen: () => retry },
}

export const backToAll = ({ handle }: StoredAccount): Markup => backLink(`/a/${handle}/deliveries`, 'All deliveries')

const retry = actForm(retryDeliveries, {
  input: ({ params }) => ({ delivery: params.delivery ?? '', failed: false }),
  shown: () => ({ notice: 'Trying now.' }),
})

/** A try without a mail server leaves no exchange: what it says stands above. */
const hasLeft = ({ exchange }: ShownDeliveryJson['exchanges'][number]): boolean => exchange !== ''

interface Failure {
  call: AccountPageCall
  why: string | null
  retryPart: Markup | null
}

/** Whom it has not reached and why, with the way on. */
function failureNote(delivery: ShownDeliveryJson, { call, why, retryPart }: Failure): Markup | null {
  if (why === null) return null
  const words = html`<p><strong>${notDelivered(delivery, call)}</strong> ${reason(why)}</p>${retryPart}`
  return notice(delivery.state === 'delivered' ? 'doubtful' : 'bad', words)
}

/** Of several recipients, some may have it while others are still tried. */
function notDelivered({ state, destination }: ShownDeliveryJson, { account }: AccountPageCall): string {
  if (state === 'delivered') return 'Not delivered to everybody.'
  const known = account.destinations.find(({ name }) => name === destination)
  const isToSeveral = known !== undefined && 'to' in known && known.to.length > 1
  if (state === 'failed') return 'Not delivered.'
  return isToSeveral ? 'Not delivered to everybody yet.' : 'Not delivered yet.'
}

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.delivery ?? '' })

interface Beside {
  call: AccountPageCall
  now: number
  /** Whether nothing is sent there before the box sends mail. */
  isStuck: boolean
}

/** How far it is, and the way to what it carries. */
function about(delivery: ShownDeliveryJson, { call, now, isStuck }: Beside): Markup {
  const { handle, settings } = call.account
  const { kind, submissionId, createdAt } = delivery
  const state = isStuck ? waitsForMail : html`${stateMark(delivery)} ${nextTry(delivery, settings.timezone, now)}`
  const lead = submissionId && html` · <a href="/a/${handle}/s/${submissionId}">Open the lead</a>`
  return html`<p class="lead">${state} <span class="soft">· ${kindWords[kind]} · created ${localTime(createdAt, settings.timezone)}</span>${lead}</p>`
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

/** The stored tries, the latest first, and the exchange of one of them: all exchanges would make the page too long. */
function tries({ exchanges }: ShownDeliveryJson, { account: { settings }, url }: AccountPageCall): Markup {
  const chosen = exchanges.find(({ number }) => String(number) === url.searchParams.get('try')) ?? exchanges.at(-1)
  if (chosen === undefined)
    return html`<h2>Tries</h2><p>No try is stored: none has taken place yet, or the last one was more than 30 days ago.</p>`
  const items = exchanges.toReversed().map(({ number, at, status, error, exchange }) => {
    const isChosen = number === chosen.number
    const current = isChosen ? html` aria-current="true"` : null
    const answer = error === null ? status && `answered ${status}` : reason(shortReason(error))
    return html`<li><a href="${url.pathname}?try=${number}"${current}>Try ${number}</a> <span class="soft">${localTime(at, settings.timezone)}${answer && html` · ${answer}`}</span>${isChosen && exchange !== '' ? dialogue(exchange) : null}</li>`
  })
  return html`<h2>Tries</h2><ol class="tries">${items}</ol>`
}

/** Between a request, whose body is one line, and its answer. */
const answerBegins = '\n\nHTTP/1.1 '

/** The answer, then what was sent for it, folded; a dialogue of mail has several of both. */
function dialogue(exchange: string): Markup {
  const end = exchange.indexOf(answerBegins)
  return end < 0
    ? exchangeText(exchange)
    : html`${exchangeText(exchange.slice(end).trimStart())}<details class="more"><summary>What was sent</summary>${exchangeText(exchange.slice(0, end))}</details>`
}
