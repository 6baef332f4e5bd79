import type { ReadConfiguration, RuntimeConfiguration } from './config.ts'
import type { Consent } from './consent.ts'
import type { Answer, Post } from './post.ts'
import type { Site } from './site.ts'

/** Records that something happened, and who it is that is known by it. Throws for the console. */
export type Track = (event: string, properties?: object, traits?: object) => void

export interface QueueParts {
  configuration: ReadConfiguration
  consent: (configuration: RuntimeConfiguration) => Consent
  post: Post
}

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
export function eventQueue(site: Site, { configuration, consent, post }: QueueParts): Track {
  let waiting: string[] = []
  let settings: RuntimeConfiguration | null = null
  /** 0: none runs. */
  let timer = 0
  let underWay = 0
  let retries = 0

  const load = async () => (settings ??= await configuration())

  const tick = site.guarded(async () => {
    await load()
    timer = 0
    // Without the configuration nobody knows what may be sent: the same back-off, and the same end.
    if (!settings) return settle(waiting.splice(0), [0, {}, 0])
    try {
      if (!underWay) flush(1)
    } finally {
      // Also after a consent signal that threw: the page's banner may not be there yet.
      if (waiting[0]) wait()
    }
  })

  function wait(): void {
    if (!underWay) timer ||= setTimeout(tick, firstDelayMs)
  }

  function flush(batchesMax: number): void {
    if (!settings || document.prerendering) return
    const granted = consent(settings)
    if (granted === false || !settings.originAuthorised || !settings.tracking.enabled) waiting = []
    if (!granted && settings.consent.blockBeforeOptIn) return
    while (waiting[0] && batchesMax--) send(takeBatch(waiting), granted)
  }

  async function send(batch: string[], granted: Consent): Promise<void> {
    underWay++
    const headers = { 'X-SVC-Site-Key': site.key as string, ...(granted && { 'X-SVC-Consent': 'granted' }) }
    const answer = await post(site.origin + '/_svc/e', `{"events":[${batch}]}`, headers)
    underWay--
    settle(batch, answer)
  }

  function settle(batch: string[], [status, body, retryAfterSeconds]: Answer): void {
    // Another may run since before the page was hidden, for less time than this answer wants.
    clearTimeout(timer)
    timer = underWay ? 0 : setTimeout(tick, Math.max(retryAfterSeconds * 1000, spacingMs * 2 ** retries))
    // No connection, rate_limited, and what may pass: 503 above all.
    if ((!status || status > 428) && retries < retriesMax) {
      waiting = [...batch, ...waiting].slice(-waitingEventsMax)
      // A page that was hidden has sent several at once, which fail as one.
      if (!underWay) retries++
    } else {
      retries = 0
      if (status !== 202) site.say(`Events lost: ${body.error?.message ?? 'no answer'}`)
    }
  }

  // The page may be gone after this. Only what the box asked to hold back is held back.
  addEventListener(
    'visibilitychange',
    site.guarded(() => document.hidden && !retries && flush(waitingEventsMax)),
  )

  return (event, properties, traits) => {
    if (!site.key) throw 'Events need data-site-key'
    // Else the box would refuse the whole batch.
    if (typeof event !== 'string' || !event || [...event][200]) throw 'Event name: 1 to 200 characters'
    // As text at once, since the page may go on changing its objects. Every event states its page, which the service
    // cannot infer (spec, Event batch request body).
    const text = JSON.stringify({ event, properties: { url: location.href, ...properties }, traits })
    if (!fits(text)) throw 'Event too large'
    waiting = [...waiting, text].slice(-waitingEventsMax)
    // At once, for a visitor who leaves before the first batch.
    load()
    wait()
  }
}

/** Removes from the front what fits one request; the first event always does. */
function takeBatch(waiting: string[]): string[] {
  let count = batchEventsMax
  while (count > 1 && !fits(waiting.slice(0, count).join())) count--
  return waiting.splice(0, count)
}

const fits = (events: string): boolean => new Blob([events]).size <= batchBytesMax - envelopeBytes
