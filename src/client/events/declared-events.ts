import type { TakeEvent } from '../happening.ts'
import type { Track } from './queue.ts'

const attribute = 'data-svc-event'
const prefix = 'data-svc-event-'
/** A form's fields hide its own properties of the same name. */
const { getAttribute, getAttributeNames } = Element.prototype

/**
 * Tracks what happens to elements with `data-svc-event`: a click (which browsers also report for the keyboard) or, of a
 * form, its submit. The nearest one counts, with its `data-svc-event-…` attributes as properties.
 */
export function declaredEvents(track: Track): TakeEvent {
  let justTracked: EventTarget | null = null

  return (url, { type }, path) => {
    if (type === 'auxclick') return
    const element = path.find(
      (one): one is Element =>
        one instanceof Element &&
        getAttribute.call(one, attribute) != null &&
        one instanceof HTMLFormElement === (type === 'submit'),
    )
    // A click on a label is followed by one on the labelled element.
    if (!element || element === justTracked) return
    justTracked = element
    setTimeout(() => {
      justTracked = null
    })
    const properties: Record<string, string> = {}
    for (const name of getAttributeNames.call(element)) {
      if (name.startsWith(prefix)) properties[name.slice(prefix.length)] = getAttribute.call(element, name) as string
    }
    track({ event: getAttribute.call(element, attribute) as string, properties }, url)
  }
}
