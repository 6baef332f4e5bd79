import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import type { Attention } from '../../../operations/overview/attention.ts'
import type { Examined } from '../../examination.ts'
import { inWords } from '../../look/in-words.ts'

const shownMax = 20

/** Checks whose results stand there already, as of now. */
const shownAnyway: ReadonlySet<string> = new Set(['deliveries', 'backup', 'disk'])

/** What the last examination of the box has found beside that. @param knowsNames whether the states of names stand there */
export const examinedAttention = (examined: Examined | null, knowsNames: boolean): Attention[] =>
  (examined?.checks ?? [])
    .filter(
      ({ check, status }) => status !== 'ok' && !shownAnyway.has(check) && !(knowsNames && check === 'certificate'),
    )
    .map(({ status, found }) => ({ kind: 'box', account: null, tone: status === 'fault' ? 'bad' : 'doubtful', found }))

/** What somebody should look at, each with the way to where it is mended. */
export function attentionList(found: readonly Attention[], isOwner: boolean): Markup {
  if (found.length === 0)
    return html`<p class="hint">Nothing needs attention.${isOwner ? html` <a href="/box">Examine the box</a>` : null}</p>`
  const rest = found.length - shownMax
  return html`<h2>Needs attention</h2><ul class="places urgent">${found.slice(0, shownMax).map(item)}</ul>${rest > 0 ? html`<p class="hint">${plural(rest, 'more matter')} like these.</p>` : null}`
}

const item = (attention: Attention): Markup => {
  const [href, text] = wayTo(attention)
  return html`<li class="place ${attention.tone}"><p>${inWords(attention.found)} <a href="${href}">${text}</a></p></li>`
}

/** Where it is mended. */
function wayTo({ kind, account }: Attention): readonly [href: string, text: string] {
  if (account === null) return ['/box', 'Look at the box']
  switch (kind) {
    case 'delivery':
      return [`/a/${account}/deliveries`, 'To its deliveries']
    case 'certificate':
      return [`/a/${account}/domains`, 'To its domains']
    default:
      return [`/a/${account}/refusals`, 'See why']
  }
}
