import type { JsonObject } from '../lib/json-value.ts'

/** The origin of a request, as far as the account stores it. Every URL in it has been cleaned (docs/events.md). */
export interface RequestSource {
  /** As the account's `store_ip` says. */
  ip: string | null
  userAgent: string | null
  origin: string | null
  referer: string | null
  /** The connected domain that was requested. */
  host: string
}

/** Campaign parameters lifted out of a URL, by lower-case name. */
export type Attribution = Record<string, string>

interface EntryBase {
  /** UUIDv7. */
  id: string
  accountId: string
  /** Epoch milliseconds, by the service's clock. */
  receivedAt: number
  /** Whether the hosted test page sent it; such entries are never counted. */
  test: boolean
  source: RequestSource
}

export interface Submission extends EntryBase {
  kind: 'submission'
  formId: string
  formVersion: number
  status: 'accepted' | 'refused'
  refusedFor: 'honeypot' | 'bot_check' | null
  /** Lower-case; `null`: the body had no address. */
  email: string | null
  deviceId: string | null
  consentTextId: string | null
  /** `null`: the form has none. `value` is `null` when the field was absent. */
  honeypot: { field: string; value: JsonObject[string] } | null
  botCheck: { required: boolean; provider: string | null; verified: boolean }
  /** The body as sent, less the bot-check token and any sent `consentTextId`. */
  fields: JsonObject
}

export interface TrackedEvent extends EntryBase {
  kind: 'event'
  event: string
  deviceId: string
  properties: JsonObject
  traits: JsonObject | null
  attribution: Attribution
  consent: 'cookie' | 'header' | 'not_required'
}

export interface PageView extends EntryBase {
  kind: 'page_view'
  deviceId: string
  slug: string
  /** Hash of the page's bytes that were served. */
  sha256: string
  /** The page's own address, cleaned. */
  url: string
  path: string
  host: string
  attribution: Attribution
}

export type ClickVerdict = 'human' | 'suspected' | 'machine'

export interface Click extends EntryBase {
  kind: 'click'
  deviceId: string
  message: string | null
  /** Opaque id of the recipient that the link was signed for; `null`: none. */
  recipient: string | null
  /** When the mailing was sent, epoch milliseconds. */
  sentAt: number
  /** The destination, cleaned. */
  url: string
  attribution: Attribution
  verdict: ClickVerdict
  reasons: string[]
  /** The evidence for the verdict, so that the click can be judged again. */
  evidence: { method: string; headers: Record<string, string> }
}

export type Entry = Submission | TrackedEvent | PageView | Click
export type EntryKind = Entry['kind']
