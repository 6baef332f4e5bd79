import type { TakeEvent } from '../happening.ts'
import type { Track } from './queue.ts'

const prefix = 'data-svc-event-'

/**
 * Tracks what happens to elements with `data-svc-event`: a click (which browsers also report for the keyboard) or, of a
 * form, its submit. The nearest one counts, with its `data-svc-event-…` attributes as properties.
 */
export function declaredEvents(track: Track): TakeEvent {
  let justTracked: EventTarget | undefined

  return (url, { type }, path) => {
    if (type === 'auxclick') return
    const element = path.find(
      (one): one is HTMLElement => declares(one) && one instanceof HTMLFormElement === (type === 'submit'),
    )
    // A click on a label is followed by one on the labelled element.
    if (!element || element === justTracked) return
    justTracked = element
    setTimeout(() => {
      justTracked = undefined
    })
    const properties: Record<string, string> = {}
    for (const { name, value } of element.attributes) {
      if (name.startsWith(prefix)) properties[name.slice(prefix.length)] = value
    }
    track({ event: element.dataset.svcEvent as string, properties }, url)
  }
}

const declares = (target: EventTarget): boolean => (target as HTMLElement).dataset?.svcEvent !== undefined
