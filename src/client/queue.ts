import type { ReadConfiguration, RuntimeConfiguration } from './config.ts'
import type { Consent } from './consent.ts'
import { type Answer, noAnswer, post } from './post.ts'
import type { Site } from './site.ts'

/** Takes one event as JSON text: copied now, so that the page may go on changing its objects. Throws for the console. */
export type Enqueue = (event: string) => void

export type ConsentNow = (configuration: RuntimeConfiguration) => Consent

const waitingEventsMax = 100
const batchEventsMax = 20
const batchBytesMax = 7_500
/** `{"events":[…]}` around the events. */
const envelopeBytes = 13
const firstDelayMs = 1_000
/** The box's own budget is 30 requests a minute and visitor. */
const spacingMs = 5_000
const retriesMax = 3

/**
 * Holds events in memory until they may be sent, and sends them in batches (contract section 7, Consent and Sending).
 * While consent is unknown and required they wait, the latest 100; a no drops them. One batch is under way at a time,
 * so that a visitor without the identity cookie becomes one device and not several.
 */
export function eventQueue(site: Site, configuration: ReadConfiguration, consent: ConsentNow): Enqueue {
  let waiting: string[] = []
  let settings: RuntimeConfiguration | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay = 0
  let notBeforeMs = 0
  let retries = 0

  const tick = site.guarded(async () => {
    settings ??= await configuration()
    timer = undefined
    // Without the configuration nobody knows what may be sent: the same back-off, and the same end.
    if (!settings) settle(waiting.splice(0), noAnswer)
    flush()
    wait()
  })

  function wait(): void {
    if (timer || underWay || !waiting.length) return
    timer = setTimeout(tick, Math.max(firstDelayMs, notBeforeMs - performance.now()))
  }

  function flush(everything = false): void {
    if (!settings || document.prerendering) return
    const granted = consent(settings)
    if (granted === false || !settings.originAuthorised || !settings.tracking.enabled) waiting = []
    if (!granted && settings.consent.blockBeforeOptIn) return
    while (waiting.length && (everything || !underWay)) send(takeBatch(waiting), granted)
  }

  async function send(batch: string[], granted: Consent): Promise<void> {
    underWay++
    const headers = { 'X-SVC-Site-Key': `${site.key}`, ...(granted && { 'X-SVC-Consent': 'granted' }) }
    settle(batch, await post(site.origin + '/_svc/e', `{"events":[${batch}]}`, headers))
    underWay--
    wait()
  }

  function settle(batch: string[], [status, body, retryAfterSeconds]: Answer): void {
    // No connection, rate_limited, and what may pass: 503 above all.
    const again = !status || status > 428
    const backOffMs = spacingMs * 2 ** retries
    notBeforeMs = performance.now() + Math.max(retryAfterSeconds * 1000, backOffMs)
    if (again && retries++ < retriesMax) waiting = [...batch, ...waiting].slice(-waitingEventsMax)
    else {
      retries = 0
      if (status !== 202) site.say(`Events were lost: ${body.error?.message ?? 'no answer'}`)
    }
  }

  // The page may be gone after this. Only what the box asked to hold back is held back.
  document.addEventListener(
    'visibilitychange',
    site.guarded(() => document.hidden && !retries && flush(true)),
  )

  return (event) => {
    if (!site.key) throw 'Events need data-site-key on the script tag'
    if (!fits(event)) throw 'Event too large'
    waiting = [...waiting, event].slice(-waitingEventsMax)
    wait()
  }
}

/** Removes from the front what fits one request; the first event always does. */
function takeBatch(waiting: string[]): string[] {
  let count = 1
  while (count < batchEventsMax && count < waiting.length && fits(waiting.slice(0, count + 1).join())) count++
  return waiting.splice(0, count)
}

const fits = (events: string): boolean => new TextEncoder().encode(events).length <= batchBytesMax - envelopeBytes
