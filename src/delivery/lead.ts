import type { JsonObject } from '../lib/json-value.ts'

/** What carriers learn of a submission. A stranger typed all of it except the names of account and form. */
export interface Lead {
  accountName: string
  handle: string
  /** The account's first connected domain. */
  domain: string
  /** IANA name: times are shown in this zone. */
  timezone: string
  /** The account's brand colour, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** The account's contact address; `null`: its contact is not an e-mail address. */
  contact: string | null
  formId: string
  formName: string
  /** The form's fields in its order, then others in the order of sending. Values that are not text stand as JSON. */
  fields: readonly LeadField[]
  /** The visitor's address, lower-case; `null`: the submission holds none. */
  replyTo: string | null
  /** Epoch milliseconds. */
  receivedAt: number
  submissionId: string
  /** Most likely repeats an earlier one. */
  duplicate: boolean
  /** The submission as exported (docs/exports.md). */
  record: JsonObject
}

export interface LeadField {
  /** The title in the form's schema, or else the field's own name. */
  name: string
  value: string
}

/** Reads submissions for carriers. */
export interface LeadReader {
  /** In the order of the ids; `null`: unreadable or gone. */
  leads(accountId: string, submissionIds: readonly string[]): Promise<(Lead | null)[]>
}
