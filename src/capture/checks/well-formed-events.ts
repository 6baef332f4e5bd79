import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { isJsonObject } from '../../lib/lossless-json.ts'
import { Refusal } from '../refusal.ts'
import { parsedBody } from './json-body.ts'

/** An event as a caller states it. */
export interface SentEvent {
  event: string
  properties: JsonObject
  traits: JsonObject | null
}

const eventsMax = 20
const nameCodePointsMax = 200
const knownFields = new Set(['event', 'properties', 'traits'])

/** Event check 7: `{ "events": [ … ] }` with 1 to 20 well-formed events; what stands beside `events` is not read. */
export function wellFormedEvents(body: Uint8Array): SentEvent[] {
  const batch = parsedBody(body, 'events')
  const events = isJsonObject(batch) ? batch.events : undefined
  if (!Array.isArray(events)) throw malformed('The body must be an object with an array "events".')
  if (events.length < 1 || events.length > eventsMax) {
    throw malformed(`"events" must hold 1 to ${eventsMax} events; it holds ${events.length}.`)
  }
  return events.map(wellFormedEvent)
}

function wellFormedEvent(value: JsonValue, index: number): SentEvent {
  const at = `events[${index}]`
  if (!isJsonObject(value)) throw malformed(`${at} must be an object.`)
  for (const field of Object.keys(value)) {
    if (!knownFields.has(field)) throw malformed(unknownField(at, field))
  }
  return {
    event: eventName(value.event, at),
    properties: optionalObject(value.properties, `${at}.properties`) ?? {},
    traits: optionalObject(value.traits, `${at}.traits`),
  }
}

function eventName(value: JsonValue | undefined, at: string): string {
  if (typeof value !== 'string')
    throw malformed(`${at}.event must be a string of 1 to ${nameCodePointsMax} characters.`)
  // A code point takes one or two UTF-16 units: most names are decided by their length alone.
  const tooLong = value.length > nameCodePointsMax && [...value].length > nameCodePointsMax
  if (value === '' || tooLong) throw malformed(`${at}.event must be 1 to ${nameCodePointsMax} characters long.`)
  return value
}

function optionalObject(value: JsonValue | undefined, at: string): JsonObject | null {
  if (value === undefined) return null
  if (!isJsonObject(value)) throw malformed(`${at} must be an object, or be left out.`)
  return value
}

/** Names the field only when its name is one a developer might have meant: a submitted text is never repeated. */
function unknownField(at: string, field: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]{0,39}$/.test(field)
    ? `${at}.${field} is not accepted: an event holds "event", "properties" and "traits" only; the service records its own receipt time.`
    : `${at} holds a field that is not accepted: an event holds "event", "properties" and "traits" only.`
}

const malformed = (message: string) => new Refusal('events', { message })
