/** An event on its way to the box (spec, Event batch request body). */
export interface OutgoingEvent {
  event: string
  properties?: object | null | undefined
  traits?: object | null | undefined
}

/** Changes an event, or drops it with `null`: the function of `svc('filter', …)`. */
export type EventFilter = (event: OutgoingEvent) => OutgoingEvent | null

/** `{"events":[…]}` takes 13 of a batch's 7,500. */
const bytesMax = 7_487

/** Whether these events, separated by commas, fit one request. */
export const fits = (events: string): boolean => new Blob([events]).size <= bytesMax

/**
 * An event as the text that is sent, made at once since the page may change its objects later. Contains only what the
 * box accepts, since it refuses the whole batch otherwise. @throws a sentence for the console
 */
export function eventText({ event, properties, traits }: OutgoingEvent, defaults?: object): string {
  if (typeof event !== 'string' || !event || [...event][200]) throw 'Event not sent: its name has 1 to 200 characters'
  const fault = `Event "${event}" not sent: `
  for (const part of [properties, traits]) {
    if (part != null && (typeof part !== 'object' || Array.isArray(part))) {
      throw fault + "properties and traits are objects, such as { plan: 'pro' }"
    }
  }
  let text: string
  try {
    text = JSON.stringify({ event, properties: { ...defaults, ...properties }, traits: traits && { ...traits } })
  } catch {
    throw fault + 'JSON cannot hold it (cycle, BigInt)'
  }
  if (!fits(text)) throw fault + `more than ${bytesMax} bytes`
  return text
}

/** What a filter leaves of an event; `null`: do not send it. @throws a sentence, also in its place */
export function filtered(text: string, filter: EventFilter): string | null {
  const event: OutgoingEvent = JSON.parse(text)
  const fault = `Event "${event.event}" not sent: a filter `
  let left: OutgoingEvent | null
  try {
    left = filter(event)
  } catch (error) {
    throw `${fault}threw ${error}`
  }
  if (left === null) return null
  if (!left?.event) throw fault + 'returns the event, or null to drop it'
  return eventText(left)
}
