import { type Commands, type Happening, keepLatest } from './commands.ts'
import { post, type ReadConfiguration } from './requests.ts'
import type { Site } from './site.ts'

interface CaughtEvents {
  commands: Commands
  /** Checks whether the tag has a tracking key by now, without which there are no events. */
  heedTag: () => void
}

/**
 * Keeps the page's commands and what happens on it until `/_svc/e.js` has loaded, which makes events of it (decisions,
 * 29).
 */
export function catchEvents(site: Site, configuration: ReadConfiguration): CaughtEvents {
  const early: Happening[] = []
  let take = (happening: Happening): void => keepLatest(early, happening)
  let isBegun = false

  const happen = (kind: string, ...parts: unknown[]) => take([kind, location.href, ...parts])

  const begin = site.guarded(async () => {
    isBegun = true
    // Nobody sees a page that is prerendering.
    followHistory(() => document.prerendering || happen('move'))
    for (const type of ['click', 'auxclick', 'submit']) {
      addEventListener(type, (event) => happen(type, event, event.composedPath()), true)
    }
    const loading = site.load<typeof import('./events/main.ts')>('e.js')
    const settings = await configuration()
    const { startEvents } = await loading
    take = site.guarded(startEvents(site, configuration, { settings, post }))
    for (const happening of early.splice(0)) take(happening)
  })

  /** @param wanted whether somebody waits for events; another tag may bring the key before the answer arrives */
  const needKey = site.guarded(async (wanted: boolean) => {
    const tracking = (await configuration())?.tracking
    if (tracking && !isBegun && (wanted || (tracking.enabled && tracking.autoPageview))) {
      throw 'No events: the script tag needs data-site-key, or site.toml auto_pageview = false'
    }
  })

  const command =
    (name: string, needsKey: boolean) =>
    (...args: unknown[]) => {
      happen(name, ...args)
      if (needsKey && !isBegun) needKey(true)
    }

  return {
    commands: {
      track: command('track', true),
      identify: command('identify', true),
      consent: command('consent', false),
      filter: command('filter', false),
    },
    heedTag() {
      if (!site.data.siteKey) needKey(false)
      else if (!isBegun) begin()
    },
  }
}

/** Calls back now and after each navigation within the page. */
function followHistory(moved: () => unknown): void {
  moved()
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name]
    history[name] = (...args) => {
      original.apply(history, args)
      moved()
    }
  }
  addEventListener('popstate', moved)
}
