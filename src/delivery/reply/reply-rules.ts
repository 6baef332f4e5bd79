import type { Submission } from '../../ledger/entry.ts'
import { readMailAddress } from '../../lib/mail-address.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A reply is no longer sent this long after the visitor wrote or confirmed. */
export const replyAgeMsMax = 15 * minuteMs
/** A confirmation is still of use when the mail server was away for the night. */
const confirmationAgeMsMax = dayMs

/** How long after the submission a mail to the visitor may still be sent. */
export const visitorMailAgeMsMax = { confirm: confirmationAgeMsMax, reply: replyAgeMsMax } as const

/**
 * Limits of docs/replies.md, which hold for confirmations too. They count submissions by when they were answered; each window
 * is longer by the time that sending a reply may take, so that no delay, retry or crash exceeds them. Confirmations that a mail
 * server could not take for hours may come together.
 */
const replyLimits = {
  formAndAddress: { count: 1, windowMs: dayMs + replyAgeMsMax },
  /** Mails of the whole box to one address. */
  address: { count: 3, windowMs: dayMs + replyAgeMsMax },
  form: { count: 30, windowMs: hourMs + replyAgeMsMax },
  /** Mails of one account, however many forms it has, and however often it makes them anew. */
  account: { count: 100, windowMs: hourMs + replyAgeMsMax },
} as const

/** Submissions further away from a receipt than this do not count. */
export const replyWindowMsMax = dayMs + replyAgeMsMax

/**
 * The address to answer a submission at; `null`: none. A person sent it, who reads mail at the address: either it was accepted
 * at once and passed the bot check that the form required, or somebody has vouched for it.
 */
export function answerableAddress({ status, test, botCheck, email }: Submission, isVouchedFor: boolean): string | null {
  const isOfPerson = isVouchedFor || (status === 'accepted' && botCheck.required && botCheck.verified)
  if (!isOfPerson || test || email === null) return null
  return readMailAddress(email) === email && !isRoleAddress(email) ? email : null
}

export interface AnsweredSubmission {
  /** The form's replies, or its confirmations, within its account. */
  form: string
  account: string
  /** Mails to its address, on the whole box. */
  address: string
  /** Its receipt, release or confirmation, epoch milliseconds. */
  at: number
}

/** @param answered all that share the account or the address, within the largest window on either side of the receipt */
export function isWithinReplyLimits(next: AnsweredSubmission, answered: readonly AnsweredSubmission[]): boolean {
  const count = (windowMs: number, isCounted: (other: AnsweredSubmission) => boolean): number =>
    answered.filter((other) => Math.abs(next.at - other.at) < windowMs && isCounted(other)).length
  const { formAndAddress, address, form, account } = replyLimits
  const isOfAddress = (other: AnsweredSubmission) => other.address === next.address
  const isOfForm = (other: AnsweredSubmission) => other.form === next.form
  return (
    count(formAndAddress.windowMs, (other) => isOfForm(other) && isOfAddress(other)) < formAndAddress.count &&
    count(address.windowMs, isOfAddress) < address.count &&
    count(form.windowMs, isOfForm) < form.count &&
    count(account.windowMs, (other) => other.account === next.account) < account.count
  )
}

/**
 * Addresses that programs of mail systems read, or nobody (RFC 2142 and other common names). A program would answer the
 * reply, or a mailing list would spread it.
 */
const roles: ReadonlySet<string> = new Set([
  'abuse',
  'autoreply',
  'autoresponder',
  'bounce',
  'bounces',
  'daemon',
  'devnull',
  'donotreply',
  'hostmaster',
  'ldaemon',
  'listserv',
  'mailerdaemon',
  'mailman',
  'majordomo',
  'mdaemon',
  'noc',
  'nobody',
  'noreply',
  'noresponse',
  'null',
  'postmaster',
  'root',
  'security',
  'spam',
  'subscribe',
  'unsubscribe',
  'uucp',
  'webmaster',
])

/** `list-request`, `owner-list`, `bounce-123`, `list-bounces`, `do-not-reply-orders`. */
const rolePattern =
  /^(?:owner|bounces?|noreply|donotreply|return)[-_.=+]|[-_.=+](?:request|owner|bounces?|noreply|daemon)$/

/** @param email as `identityEmail` writes it */
export function isRoleAddress(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'))
  const joined = local.replace(/\b(no|not|do|dont|auto|mailer|dev)[-_.](?=not?\b|reply|respon|daemon|null)/g, '$1')
  const base = joined.split('+')[0] ?? joined
  return roles.has(base.replaceAll(/[-_.]/g, '')) || rolePattern.test(joined)
}
