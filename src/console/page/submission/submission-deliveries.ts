import { html, type Markup } from '../../../lib/html.ts'
import { instant } from '../../../report/instant.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { inPages } from '../../look/operator-message.ts'
import { localTime } from '../local-time.ts'
import type { AccountPageCall } from '../page.ts'

type Deliveries = Awaited<ReturnType<ConsoleBox['deliveries']['ofSubmission']>>

/** The submission's deliveries with their state. */
export function deliveriesPart({ account }: AccountPageCall, deliveries: Deliveries): Markup | null {
  if (deliveries.length === 0) return null
  const { timezone } = account.settings
  const rows = deliveries.map(
    ({ destination, kind, state, nextAt, lastError }) =>
      html`<li><strong>${destination}</strong> <span class="soft">${kind}</span> <span class="mark">${state}</span>${nextAt === null ? null : html` next try ${localTime(instant(nextAt), timezone)}`}${lastError === null || state === 'delivered' ? null : html` <span class="fault">${inPages(lastError)}</span>`}</li>`,
  )
  return html`<h2>Deliveries</h2><ul class="plain">${rows}</ul><p class="hint"><a href="/a/${account.handle}/deliveries">All deliveries</a></p>`
}
