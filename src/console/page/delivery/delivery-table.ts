import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { DeliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { mark } from '../../look/mark.ts'
import { inPages } from '../../look/operator-message.ts'
import { stackedTable } from '../../look/wide-table.ts'
import { captured } from '../captured.ts'
import { localTime } from '../local-time.ts'

/** The delivery's own page shows the full error. */
const errorCharactersMax = 160

interface Shown {
  account: StoredAccount
  /** Whether a search or filter limits the list. */
  isSearch: boolean
  /** Whether older deliveries were not searched yet. */
  isMore: boolean
}

/** Deliveries, latest first; each links to its exchanges. */
export function deliveryTable(deliveries: readonly DeliveryJson[], { account, isSearch, isMore }: Shown): Markup {
  if (deliveries.length === 0)
    return isSearch
      ? html`<p>${isMore ? 'Nothing found in the deliveries searched so far.' : 'Nothing found.'}</p>`
      : html`<p>Nothing has been sent yet. Each new lead is sent within seconds.</p>`
  return stackedTable(
    'Deliveries',
    html`<thead><tr><th>Created</th><th>To</th><th>What</th><th>State</th><th class="number">Tries</th><th>Last answer</th></tr></thead>
<tbody>${deliveries.map((delivery) => row(delivery, account))}</tbody>`,
  )
}

function row(delivery: DeliveryJson, { handle, settings }: StoredAccount): Markup {
  const { id, destination, submissionId, attempts, createdAt, lastStatus, lastError } = delivery
  const what = submissionId === null ? 'report' : html`<a href="/a/${handle}/s/${submissionId}">lead</a>`
  return html`<tr><td><a href="/a/${handle}/deliveries/${id}">${localTime(createdAt, settings.timezone)}</a></td>
<td class="line">${destination}</td><td>${what}</td><td>${deliveryState(delivery, settings.timezone)}</td><td class="number" data-label="tries">${attempts}</td>
<td>${captured(cut(inPages(lastError ?? String(lastStatus ?? ''))))}</td></tr>`
}

const cut = (text: string): string =>
  text.length <= errorCharactersMax ? text : `${text.slice(0, errorCharactersMax)}…`

/** The state in words, with the next try of a waiting delivery. */
export function deliveryState({ state, paused, nextAt }: DeliveryJson, timezone: string): Markup {
  if (state === 'delivered') return mark('delivered', 'good')
  if (state === 'failed') return mark('failed', 'bad')
  if (paused) return mark('paused', 'doubtful')
  const next = nextAt === null ? null : html` next try ${localTime(nextAt, timezone)}`
  return html`${mark('waiting')}${next}`
}
