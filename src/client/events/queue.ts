import { type Answer, noAnswer, type Post, type ReadConfiguration, type RuntimeConfiguration } from '../requests.ts'
import type { Site } from '../site.ts'
import type { Consent } from './consent.ts'
import { type EventFilter, eventText, filtered, fits, type OutgoingEvent } from './event-text.ts'

/** Records an event or an identity. Throws for the console. */
export type Track = (event: OutgoingEvent, url: string) => void

export interface EventQueue {
  track: Track
  /** From now on, and for what waits, events pass this function too. */
  filter: (filter: EventFilter) => void
  /** The visitor's own answer to the page: a no drops what waits and what comes. */
  answer: (granted: boolean) => void
  /** Checks consent again soon: the visitor may have answered. */
  nudge: () => void
  /** Sends what waits, since the page may be gone in a moment. */
  leave: () => void
}

interface QueueParts {
  configuration: ReadConfiguration
  /** The present value of the page's signal. */
  signal: (configuration: RuntimeConfiguration) => Consent
  post: Post
}

const waitingEventsMax = 100
const batchEventsMax = 20
const firstDelayMs = 1_000
/** The box's own budget is 30 requests a minute and visitor. */
const spacingMs = 5_000
const retriesMax = 3
/** From the moment a visitor follows a link until the page is gone. */
const leavingMs = 2_000
/** Between two checks of a signal without an answer. */
const askDelayMsMax = 60_000
const retryAfterSecondsMax = 86_400

/**
 * Holds events in memory until they may be sent, and sends them in batches (docs/script.md).
 * While consent is unknown and required they wait, the latest 100; a no drops them. One batch is under way at a time,
 * so that a visitor without the identity cookie becomes one device and not several.
 */
export function eventQueue(site: Site, { configuration, signal, post }: QueueParts): EventQueue {
  const filters: EventFilter[] = []
  let waiting: string[] = []
  let answered: Consent
  let settings: RuntimeConfiguration | null = null
  /** 0: no timer. */
  let timer = 0
  // In the time of `performance.now`.
  let timerMs = 0
  let restsUntilMs = 0
  /** The box itself asked for the pause, which holds even for a page that goes away. */
  let blockedUntilMs = 0
  let askDelayMs = firstDelayMs
  let underWay = 0
  let retries = 0
  /** Halved when the box refuses a batch, until the faulty event is alone. */
  let eventsMax = batchEventsMax

  const load = async () => (settings ??= await configuration())

  const tick = site.guarded(async () => {
    await load()
    timer = 0
    // Without the configuration, nobody knows what may be sent: the same back-off and the same end.
    if (!settings) return settle(waiting.splice(0), noAnswer)
    try {
      if (!underWay) flush(1)
    } finally {
      // No answer, or the signal threw: the page's banner may not be there yet. A hidden page does not answer.
      if (waiting[0] && !underWay && !document.hidden) {
        wake(askDelayMs)
        askDelayMs = Math.min(askDelayMs * 2, askDelayMsMax)
      }
    }
  })

  /** Ensures that the queue is examined within so many milliseconds, unless it rests. */
  function wake(ms: number): void {
    const nowMs = performance.now()
    const atMs = Math.max(nowMs + ms, restsUntilMs)
    if (timer && timerMs <= atMs) return
    clearTimeout(timer)
    timerMs = atMs
    timer = setTimeout(tick, atMs - nowMs)
  }

  function flush(batchesMax: number): void {
    if (!settings || document.prerendering) return
    const granted = answered ?? signal(settings)
    const { enabled } = settings.tracking
    if (waiting[0] && !enabled) {
      site.say('Events not sent: tracking is off. Set enabled = true under [tracking] in site.toml')
    }
    if (granted === false || !settings.originAuthorised || !enabled) waiting = []
    if (!granted && settings.consent.blockBeforeOptIn) return
    while (waiting[0] && batchesMax--) send(takeBatch(waiting, eventsMax), granted)
  }

  async function send(batch: string[], granted: Consent): Promise<void> {
    underWay++
    const headers = { 'X-SVC-Site-Key': site.data.siteKey as string, ...(granted && { 'X-SVC-Consent': 'granted' }) }
    const answer = await post(site.origin + '/_svc/e', `{"events":[${batch}]}`, headers)
    // A page that is left loses its answers first, and must not send again what may have arrived.
    if (!answer[0]) await new Promise((resolve) => setTimeout(resolve, leavingMs))
    underWay--
    settle(batch, answer)
  }

  function settle(batch: string[], [status, body, retryAfterSeconds]: Answer): void {
    const nowMs = performance.now()
    const offline = !status && !navigator.onLine
    blockedUntilMs = Math.max(blockedUntilMs, nowMs + Math.min(retryAfterSeconds, retryAfterSecondsMax) * 1000)
    restsUntilMs = Math.max(blockedUntilMs, nowMs + spacingMs * 2 ** retries)
    // No connection, rate_limited, and what may pass: 503 above all.
    const again = offline || ((!status || status > 428) && retries < retriesMax)
    const isDivisible = status === 400 && batch[1]
    if (again || isDivisible) waiting = [...batch, ...waiting].slice(-waitingEventsMax)
    if (again) {
      // A page that was hidden has sent several batches at once, whose failures count as one; without a network, none
      // counts.
      if (!underWay && !offline) retries++
    } else {
      retries = 0
      if (isDivisible) eventsMax = batch.length >> 1
      else if (status !== 202) {
        eventsMax = batchEventsMax
        site.say(`Events lost: ${body.error?.message ?? 'no answer'}`)
      }
    }
    // A timer may be running since before the page was hidden, for less time than this answer asks for.
    clearTimeout(timer)
    timer = 0
    // A browser that is offline says when it no longer is.
    if (waiting[0] && !underWay && !offline) wake(0)
  }

  function nudge(): void {
    askDelayMs = firstDelayMs
    if (waiting[0] && !underWay) wake(firstDelayMs)
  }

  function leave(): void {
    if (performance.now() >= blockedUntilMs) flush(waitingEventsMax)
  }

  const left = site.guarded(leave)
  // Safari 14 does not hide a page that is left.
  addEventListener('pagehide', left)
  addEventListener('visibilitychange', () => (document.hidden ? left() : nudge()))
  for (const type of ['keyup', 'online', 'prerenderingchange']) addEventListener(type, nudge, true)

  return {
    track(event, url) {
      if (answered === false) return
      // Every event states its page, which the service cannot infer (spec, Event batch request body).
      let text: string | null = eventText(event, { url })
      for (const filter of filters) text = text && filtered(text, filter)
      if (!text) return
      waiting = [...waiting, text].slice(-waitingEventsMax)
      // At once, for visitors who leave before the first batch.
      load()
      wake(firstDelayMs)
    },
    filter(filter) {
      if (typeof filter !== 'function') throw "svc('filter', …) takes a function"
      filters.push(filter)
      for (const text of waiting.splice(0)) {
        site.guarded(() => {
          const left = filtered(text, filter)
          if (left) waiting.push(left)
        })()
      }
    },
    answer(granted) {
      answered = granted
      if (!granted) waiting = []
      nudge()
    },
    nudge,
    leave,
  }
}

/** Removes from the front what fits one request; the first event always does. */
function takeBatch(waiting: string[], eventsMax: number): string[] {
  let count = eventsMax
  while (count > 1 && !fits(waiting.slice(0, count).join())) count--
  return waiting.splice(0, count)
}
