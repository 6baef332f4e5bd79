import type { StoredAccount } from '../../../account/account.ts'
import { chatNames, isToVisitors } from '../../../account/destination.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import type { AnswerOf } from '../../../operations/act.ts'
import { type DeliveryJson, errorNow, retryDeliveries } from '../../../operations/delivery/deliveries.ts'
import {
  type ListedDestination,
  obstacleTo,
  pauseDestination,
  pauseWords,
  resumeDestination,
  rotateDeliverySecret,
  testDestination,
} from '../../../operations/delivery/destinations.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { doneNote, emptyState, inPages, inWords, type MarkTone, mark, notice, verdict } from '../../look/notice.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm } from '../act-form.ts'
import type { AccountPageCall, PageAct } from '../page.ts'
import { captured, cut, localTime, shortTime } from '../values.ts'
import { destinationTitle, reason } from './delivery-state.ts'

const shownMax = 40
const toCharactersMax = 200

interface Shown {
  account: Pick<StoredAccount, 'handle' | 'forms'>
  timezone: string
  reader: Reader
  now: number
  /** Why the latest delivery to a destination has not got through, by its name; absent: not known. */
  reasons: ReadonlyMap<string, string>
  isActed: boolean
  /** Where the first one is added; `null`: the reader adds none. */
  adding: Markup | null
  note: CardNote | null
}

/** What stands once in the card of a destination: what came of an act, and then what waits and has failed. */
export interface CardNote {
  destination: string
  /** Whether the test that was just made went through; absent: none was made. */
  hasPassed?: boolean
  text: Markup
}

/** Whether a delivery waits until the box has a mail server: no try gets through before then. */
export const isWaitingForMail = (
  delivery: Pick<DeliveryJson, 'kind' | 'state'>,
  { config }: Pick<ConsoleBox, 'config'>,
): boolean => delivery.state === 'waiting' && obstacleTo(delivery, config) !== null

/** Why a delivery has not reached everybody, as its reader can use it: only owners can mend what `capture.toml` lacks. */
export function whyNot(delivery: DeliveryJson, box: Pick<ConsoleBox, 'config'>, { isOwner }: Reader): string | null {
  const error = errorNow(delivery, box)
  const isForOwners = error !== null && error === obstacleTo(delivery, box.config)
  return isForOwners && !isOwner ? askAnOwner : error
}

const askAnOwner = 'This box sends no mail yet. Ask an owner of the box to set it up.'

type Blocked = Pick<ListedDestination, 'obstacle'>

const mailWaits = ({ obstacle }: Blocked): boolean => obstacle !== null

interface Reader {
  isOwner: boolean
}

/** Beside a delivery that waits for it: what to do. */
export const mailNote = (destination: Blocked, reader: Reader): Markup =>
  notice('doubtful', html`<p><strong>Mail waits.</strong> ${mailTodo(destination, reader)}</p>`)

const mailTodo = ({ obstacle }: Blocked, { isOwner }: Reader): Markup | string =>
  isOwner && obstacle !== null
    ? html`${inWords(obstacle)} <a href="/box">Health</a> says whether the server takes mail.`
    : askAnOwner

/** The destinations of an account; those that need attention come first. */
export function destinationCards(destinations: readonly ListedDestination[], shown: Shown): Markup {
  if (destinations.length === 0)
    return emptyState(
      'Leads are not sent anywhere yet',
      'Each lead can go out within seconds: by mail, to a webhook or to a chat.',
      shown.adding,
    )
  const inOrder = destinations.toSorted((one, other) => urgency(other) - urgency(one))
  const rest = inOrder.length - shownMax
  const listed = inOrder.slice(0, shownMax)
  const failing = listed.filter((destination) => stateOf(destination).tone === 'bad')
  const others = listed.filter((destination) => stateOf(destination).tone !== 'bad')
  const cards = (label: string, of: readonly Markup[]) =>
    of.length === 0 ? null : html`<ul class="places" aria-label="${label}">${of}</ul>`
  const cardOf = (destination: ListedDestination) => card(destination, shown)
  return html`${stateOfAll(inOrder)}${cards('Failing destinations', failing.map(cardOf))}${cards('Waiting for mail', mailCard(others.filter(mailWaits), shown))}${cards('Destinations', others.filter((destination) => !mailWaits(destination)).map(cardOf))}
${rest > 0 ? html`<p class="hint">The CSV has ${plural(rest, 'more destination')}.</p>` : null}`
}

/** As `1 failing, 3 waiting`; `null`: there is one, whose card says it. @param inOrder the worst first */
function stateOfAll(inOrder: readonly ListedDestination[]): Markup | null {
  const states = inOrder.map(stateOf)
  const [worst, ...others] = states
  if (worst === undefined || others.length === 0) return null
  const words = [...Map.groupBy(states, ({ word }) => word)].map(([word, { length }]) => `${count(length)} ${word}`)
  return verdict(words.join(', '), worst.tone)
}

const urgencies: Record<MarkTone, number> = { bad: 2, doubtful: 1, good: 0, plain: 0 }
const urgency = (destination: ListedDestination): number => urgencies[stateOf(destination).tone]

interface State {
  word: string
  tone: MarkTone
}

function stateOf({ kind, obstacle, pauseReason, failingSince, deliveredAt, ...counts }: ListedDestination): State {
  if (obstacle !== null) return { word: 'waiting', tone: 'doubtful' }
  if (pauseReason !== null) return { word: 'paused', tone: pauseReason === 'hand' ? 'doubtful' : 'bad' }
  if (!isToVisitors({ kind })) {
    if (failingSince !== null) return { word: 'failing', tone: 'bad' }
    if (counts.failed > 0) return { word: 'partly failed', tone: 'doubtful' }
  }
  if (deliveredAt !== null) return { word: 'working', tone: 'good' }
  return { word: counts.waiting > 0 ? 'waiting' : 'not used yet', tone: 'plain' }
}

/** Why mail waits, once, and below it each destination that waits for it on a line; empty: none does. */
function mailCard(destinations: readonly ListedDestination[], shown: Shown): Markup[] {
  const [first] = destinations
  if (first === undefined) return []
  const rows = destinations.map((destination) => {
    const { name, pauseReason, waiting, failed } = destination
    const isOpen = pauseReason !== null || waiting + failed > 0
    return html`<li><div class="named"><p><strong>${destinationTitle(name, shown.account.forms)}</strong> <span class="hint">${what(destination)}</span> ${isOpen ? html`<span>${sentence(destination, shown)}</span>` : null}</p>${shown.isActed ? actsForm(name, pauseButton(destination)) : null}</div>${noteOn(destination, shown)?.text ?? null}</li>`
  })
  return [
    html`<li class="place doubtful"><h2>Mail waits</h2><p>${mailTodo(first, shown.reader)}</p><ul class="rows">${rows}</ul></li>`,
  ]
}

function card(destination: ListedDestination, shown: Shown): Markup {
  const { word, tone } = stateOf(destination)
  const note = noteOn(destination, shown)
  return html`<li class="place ${tone}"><h2>${destinationTitle(destination.name, shown.account.forms)} ${mark(word, tone)}</h2>
<p class="hint">${what(destination)}</p>
${note?.text ?? null}${note === null || destination.waiting + destination.failed > 0 ? html`<p>${note === null ? sentence(destination, shown) : open(destination)}</p>` : null}${shown.isActed ? acts(destination, note?.hasPassed) : null}</li>`
}

const noteOn = ({ name }: ListedDestination, { note }: Shown): CardNote | null =>
  note?.destination === name ? note : null

/** What it sends, and where. */
function what({ name, kind, to, forms, confirmed }: ListedDestination): Markup {
  // Commands and what Health says name those of a form's own mails by this.
  const known = isToVisitors({ kind }) ? html` · <code>${name}</code>` : null
  const which = forms === null ? null : ` · ${forms.join(', ')}`
  const when = confirmed ? ' · once confirmed' : null
  return html`${kindWords[kind]}${to === '' ? null : html` to <bdi>${cut(to, toCharactersMax)}</bdi>`}${known}${which}${when}`
}

export const kindWords: Record<ListedDestination['kind'], string> = {
  mail: 'Mail',
  webhook: 'Webhook',
  ...chatNames,
  report: 'Report',
  confirm: 'Asks the visitor to confirm',
  reply: 'Reply to the visitor',
}

const open = ({ waiting, failed }: ListedDestination): (string | null)[] => [
  waiting === 0 ? null : `${plural(waiting, 'delivery waits', 'deliveries wait')}.`,
  failed === 0 ? null : ` ${count(failed)} failed.`,
]

function sentence(destination: ListedDestination, { timezone, now, reasons }: Shown): Markup {
  const why = reasons.get(destination.name)
  const { kind, obstacle, pauseReason, pausedAt, failingSince, deliveredAt, waiting, failed } = destination
  const since = (iso: string | null) => (iso === null ? null : html` since ${shortTime(iso, timezone, now)}`)
  const counts = open(destination)
  if (pauseReason !== null) return html`Paused${since(pausedAt)}: ${pauseWords[pauseReason]}. ${counts}`
  if (obstacle === null && failingSince !== null && !isToVisitors({ kind }))
    return html`Every try has failed${since(failingSince)}${why === undefined ? null : html`: ${reason(why)}`}. ${counts}`
  if (waiting + failed > 0) return html`${counts}`
  if (deliveredAt !== null) return html`Last delivered ${shortTime(deliveredAt, timezone, now)}. Nothing is waiting.`
  return html`No ${kind === 'report' ? 'report' : isToVisitors({ kind }) ? 'mail' : 'lead'} has gone out yet.`
}

const actsForm = (name: string, buttons: Markup): Markup =>
  html`<form method="post" class="acts"><input type="hidden" name="destination" value="${name}">${buttons}</form>`

const button = (name: string, act: string, text: string, look: 'main' | 'second' | 'quiet' = 'quiet'): Markup =>
  html`<button${look === 'main' ? null : html` class="${look}"`} name="act" value="${act}">${text}<span class="unseen"> ${name}</span></button>`

const pauseButton = ({ name, pauseReason }: ListedDestination): Markup =>
  pauseReason === null ? button(name, 'pause', 'Pause') : button(name, 'resume', 'Resume', 'second')

/** @param hasPassed a test just now; absent: none was made */
function acts(destination: ListedDestination, hasPassed?: boolean): Markup {
  const { name, kind, pauseReason, waiting, failed } = destination
  const test = hasPassed === undefined ? 'Send a test' : 'Send another test'
  // After a test that failed, another one comes first.
  const retryLook = hasPassed === false ? 'second' : stateOf(destination).tone === 'bad' ? 'main' : 'quiet'
  const often = [
    ...(!isToVisitors({ kind }) ? [button(name, 'test', test, hasPassed === false ? 'main' : 'quiet')] : []),
    ...(waiting + failed > 0 && pauseReason === null ? [button(name, 'retry', 'Try again now', retryLook)] : []),
  ]
  const rare = [
    ...(kind === 'webhook' ? [button(name, 'secret', 'New secret')] : []),
    ...(getsLeads(kind)
      ? [html`<a href="?backfill=${name}">Send earlier leads<span class="unseen"> to ${name}</span></a>`]
      : []),
  ]
  const more =
    rare.length === 0
      ? null
      : html`<details><summary>More<span class="unseen"> for ${name}</span></summary><div class="acts">${rare}</div></details>`
  const inOrder = hasPassed === false ? often : often.toReversed()
  const pause = pauseButton(destination)
  return actsForm(name, html`${pauseReason === null ? [...inOrder, pause] : [pause, ...inOrder]}${more}`)
}

export const getsLeads = (kind: ListedDestination['kind']): boolean => kind !== 'report' && !isToVisitors({ kind })

const input = ({ fields }: AccountPageCall) => ({ destination: fields.get('destination') ?? '' })

/** The acts of a destination's buttons. @param content the page with what is shown once */
export const destinationActs = (
  content: (call: AccountPageCall, box: ConsoleBox, note: CardNote) => Promise<PageContent>,
): Record<string, PageAct<AccountPageCall>> => ({
  pause: actForm(pauseDestination, { input, shown: ({ answer }) => ({ notice: `Paused ${answer.destination}.` }) }),
  resume: actForm(resumeDestination, { input, shown: ({ answer }) => ({ notice: `Resumed ${answer.destination}.` }) }),
  retry: actForm(retryDeliveries, {
    input: (call) => ({ ...input(call), failed: false }),
    shown: (_, call) => ({ notice: `Trying again at ${input(call).destination}.` }),
  }),
  test: actForm(testDestination, {
    input,
    shown: async ({ answer }, call, box) => {
      const at = shortTime(box.clock.now(), call.account.settings.timezone, box.clock.now())
      return { answer: await content(call, box, testNote(answer, at)) }
    },
  }),
  secret: actForm(rotateDeliverySecret, {
    input,
    shown: async ({ answer }, call, box) => ({
      answer: await content(call, box, secretNote(answer, call.account.settings.timezone)),
    }),
  }),
})

function testNote({ destination, delivered, error, exchange }: AnswerOf<typeof testDestination>, at: Markup): CardNote {
  const why = inPages(error ?? 'The example was not accepted.')
  const text = doneNote(
    html`<p>${delivered ? html`<strong>The test at ${at} went through.</strong>` : html`<strong>The test at ${at} failed.</strong> ${captured(why)}`}</p>
${exchange === '' ? null : html`<details><summary>What was sent and answered</summary>${exchangeText(exchange)}</details>`}`,
    delivered ? 'good' : 'bad',
  )
  return { destination, hasPassed: delivered, text }
}

function secretNote(
  { destination, secret, oldSignsUntil }: AnswerOf<typeof rotateDeliverySecret>,
  timezone: string,
): CardNote {
  const text = doneNote(html`<p>This new secret is not shown again. Give it to the receiver:
until ${localTime(oldSignsUntil, timezone)} deliveries are also signed with the old secret.</p>${copyField({ id: 'secret', label: 'The new secret', text: secret })}`)
  return { destination, text }
}

/** A stored exchange may be longer. This much fits on a page even if every character is escaped. */
const charactersMax = 12_000

/** The exchange with a receiver, which may have sent anything. */
export const exchangeText = (exchange: string): Markup =>
  html`<pre class="exchange"><bdi>${visible(exchange.slice(0, charactersMax))}</bdi></pre>${exchange.length > charactersMax ? html`<p class="hint">The API has the rest.</p>` : null}`

/** Shows characters that control a terminal or the direction of text by their code. */
const visible = (text: string): string =>
  text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to look for
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
