import type { JsonObject } from '../lib/json-value.ts'
import type { FileField } from './visitor-file.ts'

/** A form as the account's operator defined it, with every decision made that publishing can make. */
export interface Form {
  /** The public id, eight of [a-z0-9], unique in its account. */
  id: string
  /** 1 and up; a new one with each changed definition, so that a submission names the definition it met. */
  version: number
  name: string
  registered: boolean
  /** Name of the hidden field; `null`: the honeypot is off. */
  honeypot: string | null
  botCheck: 'inherit' | 'on' | 'off'
  consentTextId: string | null
  /** As configured; `safeRedirectUrl` decides whether answers may carry it. */
  redirectUrl: string | null
  schema: JsonObject
  /** The mail that asks visitors to confirm their submission (docs/confirmed-leads.md); `null`: they are not asked. */
  confirm: FormMail | null
  /** The mail after a submission, or after its confirmation (docs/replies.md); `null`: visitors get no reply. */
  reply: FormMail | null
  /** The fields that take files, by name. */
  files: Readonly<Record<string, FileField>>
}

/** A mail to visitors of a form. Its text is fixed and contains nothing of the submission. */
export interface FormMail {
  /** One line. */
  subject: string
  /** Plain text, lines ending in `\n`. */
  text: string
}
