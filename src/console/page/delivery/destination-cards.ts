import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import type { ListedDestination } from '../../../operations/delivery/list-destinations.ts'
import { pauseWords } from '../../../operations/delivery/pause-words.ts'
import { type MarkTone, mark } from '../../look/mark.ts'
import { csvLink } from '../list-parts.ts'
import { localTime } from '../local-time.ts'

const shownMax = 40
const toCharactersMax = 200

interface Shown {
  /** The account's handle. */
  account: string
  timezone: string
  /** Whether the user may pause, test and so on. */
  isActed: boolean
}

/** The destinations of an account; those that need attention come first. */
export function destinationCards(destinations: readonly ListedDestination[], shown: Shown): Markup {
  if (destinations.length === 0)
    return html`<p class="said">Leads are not sent anywhere yet. Add <code>[[deliveries]]</code> to <code>site.toml</code> to send each lead by mail, to a webhook or to a chat.</p>`
  const inOrder = destinations.toSorted((one, other) => urgency(other) - urgency(one))
  const rest = inOrder.length - shownMax
  return html`<ul class="places beside" aria-label="Destinations">${inOrder.slice(0, shownMax).map((destination) => card(destination, shown))}</ul>
<p class="more">${rest > 0 ? `The CSV has ${plural(rest, 'more destination')}. ` : null}${csvLink(`/accounts/${shown.account}/destinations`, { text: 'Destinations as CSV' })}</p>`
}

const urgencies: Record<MarkTone, number> = { bad: 2, doubtful: 1, good: 0, plain: 0 }
const urgency = (destination: ListedDestination): number => urgencies[stateOf(destination).tone]

interface State {
  word: string
  tone: MarkTone
}

/** A failed reply tells about one visitor's address, not about the destination. */
function stateOf({ kind, pauseReason, failingSince, failed }: ListedDestination): State {
  if (pauseReason !== null) return { word: 'paused', tone: pauseReason === 'hand' ? 'doubtful' : 'bad' }
  if (kind === 'reply') return { word: 'working', tone: 'good' }
  if (failingSince !== null) return { word: 'failing', tone: 'bad' }
  return failed > 0 ? { word: 'some failed', tone: 'doubtful' } : { word: 'working', tone: 'good' }
}

function card(destination: ListedDestination, { timezone, isActed }: Shown): Markup {
  const { name, kind, to, forms } = destination
  const { word, tone } = stateOf(destination)
  const which = kind === 'report' || kind === 'reply' ? null : ` · ${forms === null ? 'every form' : forms.join(', ')}`
  return html`<li class="place ${tone}"><h2>${name} ${mark(word, tone)}</h2>
<p class="hint">${kindWords[kind]}${to === '' ? null : html` to <bdi>${to.length > toCharactersMax ? `${to.slice(0, toCharactersMax)}…` : to}</bdi>`}${which}</p>
<p>${sentence(destination, timezone)}</p>${isActed ? acts(destination) : null}</li>`
}

const kindWords: Record<ListedDestination['kind'], string> = {
  mail: 'Mail',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
  report: 'Report',
  reply: 'Reply to the visitor',
}

function sentence({ kind, pauseReason, pausedAt, failingSince, waiting, failed }: ListedDestination, timezone: string) {
  const since = (iso: string | null) => (iso === null ? null : html` since ${localTime(iso, timezone)}`)
  const counts = [
    waiting === 0 ? null : `${plural(waiting, 'delivery waits', 'deliveries wait')}.`,
    failed === 0 ? null : ` ${count(failed)} failed.`,
  ]
  if (pauseReason !== null) return html`Paused${since(pausedAt)}: ${pauseWords[pauseReason]}. ${counts}`
  if (failingSince !== null && kind !== 'reply') return html`Every try has failed${since(failingSince)}. ${counts}`
  return waiting + failed === 0 ? 'Nothing is waiting.' : html`${counts}`
}

function acts({ name, kind, pauseReason, waiting, failed }: ListedDestination): Markup {
  const button = (act: string, text: string): Markup =>
    html`<button class="quiet" name="act" value="${act}">${text}<span class="unseen"> ${name}</span></button>`
  return html`<form method="post" class="acts"><input type="hidden" name="destination" value="${name}">
${kind === 'reply' ? null : button('test', 'Send a test')}${pauseReason === null ? button('pause', 'Pause') : button('resume', 'Resume')}
${waiting + failed === 0 || pauseReason !== null ? null : button('retry', 'Try again now')}${kind === 'webhook' ? button('secret', 'New secret') : null}</form>`
}
