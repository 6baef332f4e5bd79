import type { TakeEvent } from '../happening.ts'
import type { Site } from '../site.ts'
import { declaredEvents } from './declared-events.ts'
import { trackLink } from './links.ts'
import type { EventQueue } from './queue.ts'

/**
 * Makes events of clicks and submits in the document: of elements that declare them, and of links where the script tag
 * asks for it.
 */
export function documentEvents(site: Site, queue: EventQueue): TakeEvent {
  const trackDeclared = site.guarded(declaredEvents(queue.track))
  const trackFollowed = site.guarded((...happening: Parameters<TakeEvent>) => trackLink(site, queue, happening))

  // A submit does not leave its shadow root, but the visitor's click or typing before it does.
  const reach = (path: EventTarget[]): void => {
    for (const node of path) if (node instanceof ShadowRoot) node.addEventListener('submit', submitted, true)
  }
  const submitted = (event: Event): void => trackDeclared(location.href, event, event.composedPath())
  addEventListener('focusin', (event) => reach(event.composedPath()), true)

  return (url, event, path) => {
    reach(path)
    trackDeclared(url, event, path)
    if (event.type !== 'submit') trackFollowed(url, event, path)
    // The click may have answered a consent banner.
    queue.nudge()
  }
}
