import { html, type Markup } from '../../../lib/html.ts'
import { type DeliveryJson, deliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { pageOfDeliveries } from '../../../operations/delivery/list-deliveries.ts'
import { listDestinations } from '../../../operations/delivery/list-destinations.ts'
import { deliveryPlace, deliveryPlaceText } from '../../api/delivery/delivery-cursor.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { may } from '../may.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageContent } from '../page.ts'
import { deliveryTable } from './delivery-table.ts'
import { destinationActs } from './destination-acts.ts'
import { destinationCards } from './destination-cards.ts'

const shownMax = 50

const choices: readonly (readonly [DeliveryJson['state'] | 'all', string])[] = [
  ['all', 'All'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['delivered', 'Delivered'],
]

/** `/a/ACCOUNT/deliveries?state&q&cursor`: the destinations with their state, and each delivery. */
export const deliveriesPage: AccountPage = {
  of: 'account',
  path: '/a/:account/deliveries',
  link: { group: 'Setup', text: 'Deliveries' },
  scope: 'read',
  clients: 'nothing',
  show: (call, box) => content(call, box, null),
  forms: { scope: 'admin', clients: 'nothing', chosen: actsBy('act', destinationActs(content)) },
}

/** @param result of a test, or a new secret that no other page shows */
async function content(call: AccountPageCall, box: ConsoleBox, result: Markup | null): Promise<PageContent> {
  const { account, url } = call
  const asked = askedFor(url.searchParams)
  const [destinations, { deliveries, next }] = await Promise.all([
    listDestinations(box, account.handle),
    pageOfDeliveries(box, { account: account.handle, limit: shownMax, ...asked }, () => {}),
  ])
  const isSearch = asked.q !== null || asked.state !== null
  return {
    title: 'Deliveries',
    body: html`${result}${destinationCards(destinations, { account: account.handle, timezone: account.settings.timezone, isActed: may(call, 'admin') })}
<h2>Deliveries</h2>${filters(url, asked)}${deliveryTable(deliveries.map(deliveryJson), { account, isSearch })}${more(call, next === null ? null : deliveryPlaceText(next))}`,
  }
}

function askedFor(search: URLSearchParams) {
  const [state = 'all'] = choices.find(([choice]) => choice === search.get('state')) ?? []
  const cursor = search.get('cursor')
  return {
    state: state === 'all' ? null : state,
    q: search.get('q') || null,
    behind: cursor === null ? null : deliveryPlace(cursor),
  }
}

function filters({ pathname }: URL, { state, q }: ReturnType<typeof askedFor>): Markup {
  const tab = ([choice, text]: (typeof choices)[number]): Markup => {
    const query = new URLSearchParams({ state: choice, ...(q === null ? {} : { q }) })
    const current = choice === (state ?? 'all') ? html` aria-current="page"` : null
    return html`<li><a href="${pathname}?${query.toString()}"${current}>${text}</a></li>`
  }
  return html`<nav class="tabs" aria-label="Which deliveries"><ul>${choices.map(tab)}</ul></nav>
<form class="filters" method="get" role="search"><input type="hidden" name="state" value="${state ?? 'all'}">
<label for="q">Search</label><input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200" placeholder="Destination, error or id"><button>Show</button></form>`
}

function more({ account, url }: AccountPageCall, cursor: string | null): Markup {
  const csv = new URLSearchParams({ format: 'csv', limit: '1000' })
  const older = new URLSearchParams()
  for (const name of ['state', 'q']) {
    const value = url.searchParams.get(name)
    if (value && value !== 'all') csv.set(name, value)
    if (value) older.set(name, value)
  }
  older.set('cursor', cursor ?? '')
  const link = cursor === null ? null : html`<a class="button" href="${url.pathname}?${older.toString()}">Older</a> `
  return html`<p class="more">${link}<a href="/api/v1/accounts/${account.handle}/deliveries?${csv.toString()}">As CSV</a></p>`
}
