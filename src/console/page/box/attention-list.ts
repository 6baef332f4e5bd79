import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import type { Attention } from '../../../operations/overview/attention.ts'
import type { Examined } from '../../examination.ts'
import { inWords } from '../../look/operator-message.ts'

const shownMax = 20

/** Checks whose current results the list shows anyway. */
const shownAnyway: ReadonlySet<string> = new Set(['deliveries', 'backup', 'disk'])

/** What else the last examination of the box found. @param knowsNames whether the list shows the states of names */
export const examinedAttention = (examined: Examined | null, knowsNames: boolean): Attention[] =>
  (examined?.checks ?? [])
    .filter(
      ({ check, status }) => status !== 'ok' && !shownAnyway.has(check) && !(knowsNames && check === 'certificate'),
    )
    .map(({ status, found }) => ({ kind: 'box', account: null, tone: status === 'fault' ? 'bad' : 'doubtful', found }))

/** What needs attention, each with a link to the page where it can be fixed. */
export function attentionList(found: readonly Attention[], isOwner: boolean): Markup {
  if (found.length === 0)
    return html`<p class="hint">Nothing needs attention.${isOwner ? html` <a href="/box">Examine the box</a>` : null}</p>`
  const rest = found.length - shownMax
  return html`<h2>Needs attention</h2><ul class="places urgent">${found.slice(0, shownMax).map(item)}</ul>${rest > 0 ? html`<p class="hint">And ${plural(rest, 'more item')} like these.</p>` : null}`
}

const item = (attention: Attention): Markup => {
  const [href, text] = wayTo(attention)
  return html`<li class="place ${attention.tone}"><p>${inWords(attention.found)} <a href="${href}">${text}</a></p></li>`
}

/** The page where it can be fixed. */
function wayTo({ kind, account }: Attention): readonly [href: string, text: string] {
  if (account === null) return ['/box', 'See the box’s health']
  switch (kind) {
    case 'delivery':
    case 'receivers':
      return [`/a/${account}/deliveries`, 'See its deliveries']
    case 'certificate':
      return [`/a/${account}/domains`, 'See its domains']
    default:
      return [`/a/${account}/refusals`, 'See why']
  }
}
