import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import {
  type DeliveryJson,
  deliveryJson,
  pageOfDeliveries,
  retryDeliveries,
  type ShownDeliveryJson,
  showDelivery,
  shownDeliveryJson,
} from '../../../operations/delivery/deliveries.ts'
import { type ListedDestination, listDestinations } from '../../../operations/delivery/destinations.ts'
import { cursorOf, numberIn } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { inPages, mark } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import type { TableColumn } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm } from '../act-form.ts'
import { csvLink, type ShownList, shownList } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, may } from '../page.ts'
import { captured, cut, type Fact, factsTable, localTime } from '../values.ts'
import { backfillAct, backfillPart } from './backfill.ts'
import { destinationActs, destinationCards, exchangeText, getsLeads } from './destinations.ts'

/** `/a/ACCOUNT/deliveries?state&q&cursor`: the destinations with their state, and each delivery. */
export const deliveriesPage: AccountPage = {
  path: '/a/:account/deliveries',
  link: { group: 'Setup', text: 'Deliveries' },
  scope: 'read',
  show: (call, box) => content(call, box, null),
  forms: { scope: 'admin', chosen: actsBy('act', { ...destinationActs(content), backfill: backfillAct }) },
}

/** @param result of a test, or a new secret that no other page shows */
async function content(call: AccountPageCall, box: ConsoleBox, result: Markup | null): Promise<PageContent> {
  const { handle, settings } = call.account
  const destinations = await listDestinations(box, handle)
  const shown = { account: handle, timezone: settings.timezone, isActed: may(call, 'admin') }
  const list = await shownList(deliveriesList(destinations), call, box)
  const backfill = await backfillPart(call, box)
  return {
    ...(backfill && { back: backToAll(call.account) }),
    body: html`${result}${backfill}${destinationCards(destinations, shown)}
${list.body}`,
    ways:
      destinations.length === 0 ? null : csvLink(`/accounts/${handle}/destinations`, { text: 'Destinations as CSV' }),
  }
}

const states = ['waiting', 'failed', 'delivered'] as const

const deliveriesList = (destinations: readonly ListedDestination[]): ShownList<DeliveryJson, AccountPageCall> => ({
  title: 'Deliveries',
  heading: 'What was sent',
  api: '/deliveries',
  shownMax: 50,
  filter: {
    label: 'Which deliveries',
    name: 'state',
    choices: [
      ['all', 'All'],
      ['waiting', 'Waiting'],
      ['failed', 'Failed'],
      ['delivered', 'Delivered'],
    ],
  },
  async read({ account }, box, { limit, cursor, q = null }, chosen) {
    const state = states.find((name) => name === chosen) ?? null
    const wanted = { account: account.handle, limit, state, q, behind: numberIn(cursor) }
    const { deliveries, next } = await pageOfDeliveries(box, wanted, () => {})
    return { items: deliveries.map(deliveryJson), next: cursorOf(next) }
  },
  columns: ({ account }) => columns(account),
  empty: () =>
    destinations.length === 0
      ? null
      : html`<p>Nothing has been sent yet.${destinations.some(isSending) ? ' Each new lead is sent within seconds.' : null}</p>`,
  nothing: (isMore) => (isMore ? 'Nothing found in the deliveries searched so far.' : 'Nothing found.'),
  hint: 'Destination, error or id',
  more: 'Older',
})

const isSending = ({ kind, obstacle, paused }: ListedDestination): boolean =>
  obstacle === null && !paused && getsLeads(kind)

/** The delivery's own page shows the full error. */
const errorCharactersMax = 160

const columns = ({ handle, settings }: StoredAccount): TableColumn<DeliveryJson>[] => [
  {
    head: 'Created',
    cell: ({ id, createdAt }) =>
      html`<a href="/a/${handle}/deliveries/${id}">${localTime(createdAt, settings.timezone)}</a>`,
  },
  { head: 'To', kind: 'line', cell: ({ destination }) => destination },
  {
    head: 'What',
    cell: ({ submissionId }) =>
      submissionId === null ? 'report' : html`<a href="/a/${handle}/s/${submissionId}">lead</a>`,
  },
  { head: 'State', cell: (delivery) => deliveryState(delivery, settings.timezone) },
  { head: 'Tries', kind: 'number', label: true, cell: ({ attempts }) => attempts },
  {
    head: 'Last answer',
    cell: ({ lastStatus, lastError }) =>
      captured(cut(inPages(lastError ?? String(lastStatus ?? '')), errorCharactersMax)),
  },
]

export function deliveryState({ state, paused, attempts, nextAt }: DeliveryJson, timezone: string): Markup {
  if (state === 'delivered') return mark('delivered', 'good')
  if (state === 'failed') return mark('failed', 'bad')
  if (paused) return mark('paused', 'doubtful')
  const next = nextAt === null ? null : html` next try ${localTime(nextAt, timezone)}`
  return html`${attempts > 0 ? mark('retrying', 'doubtful') : mark('waiting')}${next}`
}

/** `/a/ACCOUNT/deliveries/DELIVERY`: one delivery with the exchange of each try; a button tries it again. */
export const deliveryPage: AccountPage = {
  path: '/a/:account/deliveries/:delivery',
  scope: 'read',
  async show(call, box) {
    const delivery = shownDeliveryJson(await showDelivery(box, asked(call)))
    return {
      title: `Delivery to ${delivery.destination}`,
      back: backToAll(call.account),
      body: html`${facts(delivery, call)}${may(call, 'admin') ? retryForm(delivery, call) : null}<h2>Exchanges</h2>${exchanges(delivery, call)}${ids(delivery)}`,
    }
  },
  forms: { scope: 'admin', chosen: () => retry },
}

const backToAll = ({ handle }: StoredAccount): Markup => backLink(`/a/${handle}/deliveries`, 'All deliveries')

const retry = actForm(retryDeliveries, {
  input: ({ params }) => ({ delivery: params.delivery ?? '', failed: false }),
  shown: () => ({ notice: 'Trying now.' }),
})

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.delivery ?? '' })

function facts(delivery: ShownDeliveryJson, { account: { handle, settings } }: AccountPageCall): Markup {
  const { kind, submissionId, attempts, createdAt, lastError } = delivery
  return factsTable([
    ['State', deliveryState(delivery, settings.timezone)],
    ['Kind', kind],
    ['What', submissionId === null ? 'a report' : html`<a href="/a/${handle}/s/${submissionId}">a lead</a>`],
    ['Created', localTime(createdAt, settings.timezone)],
    ['Tries', String(attempts)],
    ...(lastError === null ? [] : [['Last answer', captured(inPages(lastError))] as Fact]),
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
