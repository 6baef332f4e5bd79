import { type Static, Type } from '@sinclair/typebox'
import type { JsonValue } from '../lib/json-value.ts'
import { count, flag, oneOf, orNull, sentObject, text, textByName, textOrNull, texts } from '../lib/schema.ts'

/** The origin of a request, as far as the account stores it. Every URL in it has been cleaned (docs/events.md). */
export const requestSource = Type.Object({
  /** As the account's `store_ip` says. */
  ip: textOrNull,
  userAgent: textOrNull,
  origin: textOrNull,
  referer: textOrNull,
  /** The connected domain that was requested. */
  host: text,
  /** The slug of the split page that it is about, or was sent from, and which version of it the visitor had; absent: none. */
  split: Type.Optional(textOrNull),
  variant: Type.Optional(textOrNull),
})
export type RequestSource = Static<typeof requestSource>

/** Campaign parameters lifted out of a URL, by lower-case name. */
const attribution = textByName
export type Attribution = Static<typeof attribution>

/** Whether the hosted test page sent it; such entries are never counted. */
const test = flag

/** A file that a visitor sent with a form. Its bytes are stored by content (account/visitor-file.ts). */
export const visitorFile = Type.Object({
  id: text,
  field: text,
  /** Made harmless: `harmlessName`. */
  name: text,
  /** By its bytes: `fileTypes`. */
  type: text,
  bytes: count,
  sha256: text,
})
export type VisitorFile = Static<typeof visitorFile>

export const submission = Type.Object({
  test,
  formId: text,
  formVersion: count,
  status: oneOf(['accepted', 'refused']),
  refusedFor: Type.Union([Type.Literal('honeypot'), Type.Literal('bot_check'), Type.Null()]),
  /** Lower-case; `null`: the body had no address. */
  email: textOrNull,
  deviceId: textOrNull,
  consentTextId: textOrNull,
  /** `null`: the form has none. `value` is `null` when the field was absent. */
  honeypot: orNull(Type.Object({ field: text, value: Type.Unsafe<JsonValue>(Type.Unknown()) })),
  botCheck: Type.Object({ required: flag, provider: textOrNull, verified: flag }),
  /** The body as sent, less the bot-check token and any sent `consentTextId`, and with the names of files for their tokens. */
  fields: sentObject,
  /** Absent: none. */
  files: Type.Optional(Type.Array(visitorFile)),
})

export const trackedEvent = Type.Object({
  test,
  event: text,
  deviceId: text,
  properties: sentObject,
  traits: orNull(sentObject),
  attribution,
  consent: oneOf(['cookie', 'header', 'not_required']),
})

const pageView = Type.Object({
  test,
  deviceId: text,
  slug: text,
  /** Hash of the page's bytes that were served. */
  sha256: text,
  /** The page's own address, cleaned. */
  url: text,
  path: text,
  host: text,
  attribution,
})

const verdict = oneOf(['human', 'suspected', 'machine'])
export type ClickVerdict = Static<typeof verdict>

const click = Type.Object({
  test,
  deviceId: text,
  message: textOrNull,
  /** Opaque id of the recipient that the link was signed for; `null`: none. */
  recipient: textOrNull,
  /** When the mailing was sent, epoch milliseconds. */
  sentAt: count,
  url: text,
  attribution,
  verdict,
  reasons: texts,
  /** The evidence for the verdict, so that the click can be judged again. */
  evidence: Type.Object({ method: text, headers: textByName }),
})

/** What the record of each kind holds besides its source, in the order in which it is stored. */
export const entrySchemas = { submission, event: trackedEvent, page_view: pageView, click }

interface EntryBase {
  id: string
  accountId: string
  /** By the service's clock, epoch milliseconds. */
  receivedAt: number
  source: RequestSource
}

export interface Submission extends EntryBase, Static<typeof submission> {
  kind: 'submission'
}

export interface TrackedEvent extends EntryBase, Static<typeof trackedEvent> {
  kind: 'event'
}

export interface PageView extends EntryBase, Static<typeof pageView> {
  kind: 'page_view'
}

export interface Click extends EntryBase, Static<typeof click> {
  kind: 'click'
}

export type Entry = Submission | TrackedEvent | PageView | Click
export type EntryKind = Entry['kind']
