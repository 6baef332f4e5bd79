import type { ReportDestination } from '../account/destination.ts'
import type { MailAddress } from '../lib/mail-address.ts'
import { capturedLine } from './lead.ts'
import type { Mail } from './mail/mail.ts'

/** A report as it is mailed, before it is addressed. Kept as JSON, so that every try sends the same. */
export interface ReportLetter {
  accountName: string
  subject: string
  text: string
  html: string
  pictures: readonly ReportPicture[]
}

interface ReportPicture {
  /** Of [a-z0-9-], unique in the letter; its HTML shows it as `cid:…`. */
  cid: string
  /** A PNG in base64. */
  content: string
}

/** The wanted report, and whether it is an example. */
export interface WantedReport {
  accountId: string
  /** As `dueReports` names it. */
  period: string
  isExample: boolean
}

/** Makes letters of an account's figures. */
export interface ReportWriter {
  /** `null`: the account no longer exists. */
  letter(wanted: WantedReport): Promise<ReportLetter | null>
}

const nameCharactersMax = 100
const subjectCharactersMax = 150

interface Envelope {
  /** Whom it comes from; without a name, the account's is taken. */
  sender: MailAddress
  /** The delivery's id, so that a mailbox recognises a repeat. */
  id: string
}

/** The mail that carries a report to its destination (docs/reports.md). */
export function reportMail(
  { accountName, subject, text, html, pictures }: ReportLetter,
  { name, to }: ReportDestination,
  { sender, id }: Envelope,
): Mail {
  const { address } = sender
  return {
    from: { name: sender.name ?? (capturedLine(accountName, nameCharactersMax) || null), address },
    to: to.map((address) => ({ name: null, address })),
    replyTo: null,
    subject: capturedLine(subject, subjectCharactersMax),
    text,
    html,
    messageId: `<${id}.${name}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: pictures.map(({ cid, content }) => ({
      cid,
      filename: `${cid}.png`,
      contentType: 'image/png',
      content: Uint8Array.fromBase64(content),
    })),
  }
}
