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
  /** `null`: visitors get no reply. */
  reply: FormReply | null
  /** The fields that take files, by name. */
  files: Readonly<Record<string, FileField>>
}

/** The mail to a visitor after a submission (docs/replies.md). Its text is fixed and contains nothing of the submission. */
export interface FormReply {
  /** One line. */
  subject: string
  /** Plain text, lines ending in `\n`. */
  text: string
}
