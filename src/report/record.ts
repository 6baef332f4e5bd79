import type { Attribution, Click, Entry, PageView, RequestSource, Submission, TrackedEvent } from '../ledger/entry.ts'
import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import type { Touch } from '../processing/attribution/touch.ts'
import type { EntryFacts } from './entry-facts.ts'
import { instant } from './instant.ts'

/** A submission as exported (docs/exports.md). */
export interface SubmissionRecord {
  submissionId: string
  formId: string
  formVersion: number
  /** ISO 8601 UTC with milliseconds. */
  receivedAt: string
  /** A released submission is accepted, and keeps the reason of its refusal. */
  status: 'accepted' | 'refused'
  refusedFor: 'honeypot' | 'bot_check' | null
  identity: { email: string | null }
  personId: string | null
  deviceId: string | null
  consentTextId: string | null
  /** Both `null` if the form has no honeypot. */
  honeypot: { field: string | null; value: JsonValue }
  botCheck: { required: boolean; provider: string | null; verified: boolean }
  attribution: { first: Touch | null; last: Touch | null }
  duplicateOf: string | null
  page: { slug: string; sha256: string } | null
  test: boolean
  source: RequestSource
  fields: JsonObject
}

/** A tracked event, page view or click as exported (docs/exports.md). */
export interface EventRecord {
  eventId: string
  event: string
  origin: 'client' | 'edge'
  /** ISO 8601 UTC with milliseconds. */
  receivedAt: string
  deviceId: string
  personId: string | null
  properties: JsonObject
  traits: JsonObject | null
  attribution: Attribution
  consent: 'cookie' | 'header' | 'not_required'
  test: boolean
  source: RequestSource
}

/** The submission as exported, with the results of processing. */
export function submissionRecord(submission: Submission, facts: EntryFacts): SubmissionRecord {
  const found = facts.submission
  return {
    submissionId: submission.id,
    formId: submission.formId,
    formVersion: submission.formVersion,
    receivedAt: instant(submission.receivedAt),
    status: found?.isReleased ? 'accepted' : submission.status,
    refusedFor: submission.refusedFor,
    identity: { email: submission.email },
    personId: facts.personId,
    deviceId: submission.deviceId,
    consentTextId: submission.consentTextId,
    honeypot: { field: submission.honeypot?.field ?? null, value: submission.honeypot?.value ?? null },
    botCheck: {
      required: submission.botCheck.required,
      provider: submission.botCheck.provider,
      verified: submission.botCheck.verified,
    },
    attribution: { first: found?.first ?? null, last: found?.last ?? null },
    duplicateOf: found?.duplicateOf ?? null,
    page: found?.page ?? null,
    test: submission.test,
    source: sourceRecord(submission.source),
    fields: submission.fields,
  }
}

/**
 * The event as exported, with the results of processing. A page view is `$pageview` and a click `$click`, both of the origin
 * `edge`.
 */
export function eventRecord(entry: Exclude<Entry, Submission>, facts: EntryFacts): EventRecord {
  const { event, origin, properties, traits, consent } = parts(entry, facts)
  return {
    eventId: entry.id,
    event,
    origin,
    receivedAt: instant(entry.receivedAt),
    deviceId: entry.deviceId,
    personId: facts.personId,
    properties,
    traits,
    attribution: entry.attribution,
    consent,
    test: entry.test,
    source: sourceRecord(entry.source),
  }
}

type EventParts = Pick<EventRecord, 'event' | 'origin' | 'properties' | 'traits' | 'consent'>

function parts(entry: TrackedEvent | PageView | Click, { click }: EntryFacts): EventParts {
  if (entry.kind === 'page_view') return edge('$pageview', pageViewProperties(entry))
  if (entry.kind === 'click') return edge('$click', clickProperties({ ...entry, ...click }))
  const { event, properties, traits, consent } = entry
  return { event, origin: 'client', properties, traits, consent }
}

const edge = (event: string, properties: JsonObject): EventParts => ({
  event,
  origin: 'edge',
  properties,
  traits: null,
  consent: 'not_required',
})

const pageViewProperties = ({ slug, path, host, url }: PageView): JsonObject => ({ slug, path, host, url })

const clickProperties = ({ message, url, verdict, reasons }: Click): JsonObject => ({ message, url, verdict, reasons })

const sourceRecord = ({ ip, userAgent, origin, referer, host }: RequestSource): RequestSource => ({
  ip,
  userAgent,
  origin,
  referer,
  host,
})
