import { type Static, Type } from '@sinclair/typebox'
import type { Form } from '../account/form.ts'
import {
  type Click,
  type Entry,
  type PageView,
  type RequestSource,
  requestSource,
  type Submission,
  submission,
  type TrackedEvent,
  trackedEvent,
  visitorFile,
} from '../ledger/entry.ts'
import { instant, instantOrNull } from '../lib/instant.ts'
import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { anything, count, flag, oneOf, orNull, sentObject, text, textOrNull } from '../lib/schema.ts'
import type { Touch } from '../processing/attribution/touch.ts'
import type { Version } from '../processing/figures/measures.ts'
import { type Column, cellText, columnsOf, columnsWithin } from './csv.ts'
import type { EntryFacts } from './entry-facts.ts'
import { jsonText } from './json-text.ts'

const touch = Type.Unsafe<Touch>(anything)

/** First and last touch of a submission or a person. */
export const touches = Type.Object({ first: orNull(touch), last: orNull(touch) })

/** The most useful columns first: readers group by source. */
const names = ['source', 'medium', 'campaign', 'term', 'content', 'at', 'via', 'referrer', 'url', 'clickIds'] as const

export const touchColumns = (['first', 'last'] as const).flatMap((which) =>
  names.map(
    (name): Column<{ attribution: { first: Touch | null; last: Touch | null } }> => ({
      header: `attribution.${which}.${name}`,
      cell: ({ attribution }) => cellText(attribution[which]?.[name] ?? null),
    }),
  ),
)

const sourceColumns = columnsWithin('source', Object.keys(requestSource.properties))

/** A submission as exported (docs/exports.md). */
export const submissionSchema = Type.Object({
  submissionId: text,
  formId: text,
  formVersion: count,
  /** ISO 8601 UTC with milliseconds. */
  receivedAt: text,
  /** A submission released after it was refused on receipt is accepted, and keeps the reason. */
  status: submission.properties.status,
  refusedFor: Type.Union([...submission.properties.refusedFor.anyOf, Type.Literal('operator')]),
  identity: Type.Object({ email: textOrNull }),
  personId: textOrNull,
  deviceId: textOrNull,
  consentTextId: textOrNull,
  /** When the visitor confirmed it by mail. */
  confirmedAt: textOrNull,
  /** Both `null` if the form has no honeypot. */
  honeypot: Type.Object({ field: textOrNull, value: Type.Unsafe<JsonValue>(Type.Unknown()) }),
  botCheck: submission.properties.botCheck,
  attribution: touches,
  duplicateOf: textOrNull,
  page: orNull(Type.Object({ slug: text, sha256: text })),
  /** Their names stand in `fields` too. */
  files: Type.Array(Type.Pick(visitorFile, ['id', 'field', 'name', 'type', 'bytes'])),
  test: flag,
  source: Type.Unsafe<RequestSource>(anything),
  fields: sentObject,
})
export type SubmissionRecord = Static<typeof submissionSchema>

/** A tracked event, page view or click as exported (docs/exports.md). */
const eventSchema = Type.Object({
  eventId: text,
  event: text,
  origin: oneOf(['client', 'edge']),
  /** ISO 8601 UTC with milliseconds. */
  receivedAt: text,
  deviceId: text,
  personId: textOrNull,
  properties: sentObject,
  traits: orNull(sentObject),
  attribution: trackedEvent.properties.attribution,
  consent: trackedEvent.properties.consent,
  test: flag,
  source: Type.Unsafe<RequestSource>(anything),
})
export type EventRecord = Static<typeof eventSchema>

/** Columns of an export of events; values without a fixed shape are JSON. */
export const eventColumns: Column<EventRecord>[] = columnsOf(eventSchema, { source: sourceColumns })

/** The columns of every submission: those of its fields depend on the forms. */
const fixedSubmissionColumns: Column<SubmissionRecord>[] = columnsOf(submissionSchema, {
  attribution: touchColumns,
  source: sourceColumns,
  fields: [],
  files: [{ header: 'files', cell: ({ files }) => (files.length === 0 ? '' : jsonText(files)) }],
})

/** The submission as exported, with the results of processing. */
export function submissionRecord(submission: Submission, facts: EntryFacts): SubmissionRecord {
  const found = facts.submission
  return {
    submissionId: submission.id,
    formId: submission.formId,
    formVersion: submission.formVersion,
    receivedAt: instant(submission.receivedAt),
    status: statusOf(submission, found),
    refusedFor: found?.isRefused ? 'operator' : submission.refusedFor,
    identity: { email: submission.email },
    personId: facts.personId,
    deviceId: submission.deviceId,
    consentTextId: submission.consentTextId,
    confirmedAt: instantOrNull(found?.confirmedAt ?? null),
    honeypot: { field: submission.honeypot?.field ?? null, value: submission.honeypot?.value ?? null },
    botCheck: {
      required: submission.botCheck.required,
      provider: submission.botCheck.provider,
      verified: submission.botCheck.verified,
    },
    attribution: { first: found?.first ?? null, last: found?.last ?? null },
    duplicateOf: found?.duplicateOf ?? null,
    page: found?.page ?? null,
    files: (submission.files ?? []).map(({ id, field, name, type, bytes }) => ({ id, field, name, type, bytes })),
    test: submission.test,
    source: sourceRecord(submission, found),
    fields: submission.fields,
  }
}

function statusOf({ status }: Submission, found: EntryFacts['submission']): SubmissionRecord['status'] {
  if (found?.isRefused) return 'refused'
  return found?.isReleased ? 'accepted' : status
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
    source: sourceRecord(entry, facts.event),
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

/** What the record names itself comes before what it followed. */
function sourceRecord({ source }: Pick<Entry, 'source'>, found: { version: Version | null } | null): RequestSource {
  const { ip, userAgent, origin, referer, host, split, variant } = { ...found?.version, ...source }
  return { ip, userAgent, origin, referer, host, split: split ?? null, variant: variant ?? null }
}

/** The most declared properties with their own column; spreadsheets end at 16,384. Further ones go to `otherFields`. */
const declaredColumnsMax = 4096

const otherFieldsHeader = 'otherFields'

/**
 * Columns of an export of submissions: the fixed ones, one for each property that the forms declare, and the fields
 * that none of them declares as JSON (docs/exports.md).
 *
 * @param order `fields_first`: for people, who look for what visitors entered
 * @param seen names of fields that have a column of their own too, declared or not
 */
export function submissionColumns(
  forms: readonly Form[],
  order: 'fields_last' | 'fields_first' = 'fields_last',
  seen: Iterable<string> = [],
): Column<SubmissionRecord>[] {
  const declared = ownNames(forms, seen)
  const taken = new Set([...fixedSubmissionColumns.map((column) => column.header), otherFieldsHeader])
  const columns = [...declared].map((property): Column<SubmissionRecord> => {
    const header = freeHeader(property, taken)
    taken.add(header)
    return { header, cell: ({ fields }) => (Object.hasOwn(fields, property) ? cellText(fields[property] ?? null) : '') }
  })
  const own = [...columns, { header: otherFieldsHeader, cell: (record: SubmissionRecord) => others(record, declared) }]
  return order === 'fields_first' ? [...own, ...fixedSubmissionColumns] : [...fixedSubmissionColumns, ...own]
}

/** The names of all declared properties, in order of the forms and of each form's schema, and those that were seen. */
function ownNames(forms: readonly Form[], seen: Iterable<string>): Set<string> {
  const names = forms.flatMap(({ schema: { properties } }) => (isJsonObject(properties) ? Object.keys(properties) : []))
  return new Set([...new Set([...names, ...seen])].slice(0, declaredColumnsMax))
}

/** A form may declare `status` or `fields.status`; the header of each column is still unique. */
function freeHeader(property: string, taken: Set<string>): string {
  return taken.has(property) ? freeHeader(`fields.${property}`, taken) : property
}

function others({ fields }: SubmissionRecord, declared: Set<string>): string {
  const rest = Object.entries(fields).filter(([name]) => !declared.has(name))
  return rest.length === 0 ? '' : jsonText(Object.fromEntries(rest))
}
