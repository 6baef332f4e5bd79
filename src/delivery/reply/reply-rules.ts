import type { Submission } from '../../ledger/entry.ts'
import { readMailAddress } from '../../lib/mail-address.ts'
import { isRoleAddress } from './role-address.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A reply is no longer sent this long after the visitor wrote. */
export const replyAgeMsMax = 15 * minuteMs

/**
 * Limits of docs/replies.md. They count answered submissions by their receipt; each window is longer by the
 * time that sending may take, so that no delay, retry or crash exceeds them.
 */
const replyLimits = {
  /** Replies of one form to one address. */
  formAndAddress: { count: 1, windowMs: dayMs + replyAgeMsMax },
  /** Replies of the whole box to one address. */
  address: { count: 3, windowMs: dayMs + replyAgeMsMax },
  /** Replies of one form. */
  form: { count: 30, windowMs: hourMs + replyAgeMsMax },
  /** Replies of one account, however many forms it has, and however often it makes them anew. */
  account: { count: 100, windowMs: hourMs + replyAgeMsMax },
} as const

/** Submissions further away from a receipt than this do not count. */
export const replyWindowMsMax = dayMs + replyAgeMsMax

/**
 * The address to answer a submission at; `null`: none. A person proved to have sent it (the form required a bot check,
 * which was passed), it was accepted at once, and its address is read by a person.
 */
export function answerableAddress({ status, test, botCheck, email }: Submission): string | null {
  if (status !== 'accepted' || test || !botCheck.required || !botCheck.verified || email === null) return null
  return readMailAddress(email) === email && !isRoleAddress(email) ? email : null
}

/** A submission that was answered. */
export interface AnsweredSubmission {
  /** Replies of its form, within its account. */
  form: string
  account: string
  /** Replies to its address, on the whole box. */
  address: string
  /** Its receipt, epoch milliseconds. */
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
