import type { JsonObject } from '../lib/json-value.ts'

/** What a carrier is told of a submission. All of it was typed by a stranger, but for the names of account and form. */
export interface Lead {
  accountName: string
  handle: string
  /** The account's first connected domain. */
  domain: string
  /** IANA name: the times of whose zone people read. */
  timezone: string
  /** The account's brand colour, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** Where people write to the account; `null`: it names no e-mail address. */
  contact: string | null
  formId: string
  formName: string
  /** In the form's order, then in the order of sending. A value that is no text stands as JSON. */
  fields: readonly LeadField[]
  /** The visitor's address, lower-case; `null`: the submission holds none. */
  replyTo: string | null
  /** Epoch milliseconds. */
  receivedAt: number
  submissionId: string
  /** Most likely says the same as an earlier one. */
  duplicate: boolean
  /** The submission as exported (contract section 5). */
  record: JsonObject
}

export interface LeadField {
  /** As the form's schema titles it, else the field's own name. */
  name: string
  value: string
}

/** Reads what carriers are told of submissions. */
export interface LeadReader {
  /** In the order of the ids; `null`: it cannot be read, or is gone. */
  leads(accountId: string, submissionIds: readonly string[]): Promise<(Lead | null)[]>
}
