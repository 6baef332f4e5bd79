import type { Happening } from '../commands.ts'
import type { Post, ReadConfiguration, RuntimeConfiguration } from '../requests.ts'
import type { Site } from '../site.ts'
import { consentIn } from './consent.ts'
import { documentEvents } from './document-events.ts'
import type { EventFilter, OutgoingEvent } from './event-text.ts'
import { pageViews } from './page-views.ts'
import { eventQueue } from './queue.ts'

const triesMax = 3
const delayMs = 5_000

interface Page {
  [name: string]: unknown
}

/**
 * The file `/_svc/e.js`, loaded where the script tag has a tracking key: makes events of what happens, and sends them
 * (docs/script.md). What it returns takes what happens, and throws for the console.
 */
export function startEvents(
  site: Site,
  configuration: ReadConfiguration,
  { settings, post }: { settings: RuntimeConfiguration | null; post: Post },
): (happening: Happening) => unknown {
  const queue = eventQueue(site, {
    configuration,
    signal: ({ consent }) =>
      consentIn((globalThis as Page)[consent.signalSource]) ??
      // Global Privacy Control is a no, unless the visitor said yes to this very site.
      (navigator.globalPrivacyControl ? false : undefined),
    post,
  })
  const views = pageViews(site, queue.track)
  // Immediately if possible, so that views and events keep their order.
  if (settings) views.begin(settings)
  else askAgain(configuration).then(views.begin)
  const handlers: Record<string, Handler | undefined> = {
    track: (url, event, properties) => queue.track({ event, properties } as OutgoingEvent, url),
    // Never absent: an assertion without traits asserts nothing.
    identify: (url, traits) => queue.track({ event: '$identify', traits: (traits ?? '') as object }, url),
    consent(_, answer) {
      const isGranted = consentIn(answer)
      if (isGranted === undefined) throw "svc('consent', …) takes true or false"
      queue.answer(isGranted)
    },
    filter: (_, filter) => queue.filter(filter as EventFilter),
    move: views.moved,
  }
  const inDocument = documentEvents(site, queue) as Handler
  return ([kind, url, ...parts]) => (handlers[kind] ?? inDocument)(url, ...parts)
}

type Handler = (url: string, ...parts: unknown[]) => unknown

async function askAgain(configuration: ReadConfiguration): Promise<RuntimeConfiguration | null> {
  for (let tries = 1; ; tries++) {
    await new Promise((resolve) => setTimeout(resolve, delayMs * tries))
    const settings = await configuration()
    if (settings || tries === triesMax) return settings
  }
}
