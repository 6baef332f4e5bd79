import type { StoredAccount } from '../../account/account.ts'
import type { Form } from '../../account/form.ts'
import type { AssetStore } from '../../asset/asset-store.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { type KnownEntry, withFacts } from '../../report/export.ts'
import { type SubmissionRecord, submissionRecord } from '../../report/record.ts'
import type { StoredSubmission, SubmissionReader } from '../../report/submission-reader.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'

/** A submission with its form, page, person and release. */
export interface SubmissionReceipt {
  account: { handle: string; name: string; timezone: string }
  record: SubmissionRecord
  /** Epoch milliseconds; `null`: not released. */
  releasedAt: number | null
  isProcessed: boolean
  /** The form's definition at that time; `null`: deleted. */
  form: { form: Form; publishedAt: number } | null
  /** Whether the landing page's bytes are still stored; `null`: no page is known. */
  pageKept: boolean | null
}

/** The receipt of one submission. @throws OperatorError when there is no such account or submission, or its record is damaged */
export async function showSubmission(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts' | 'assets'>,
  { account: named, id }: { account: string; id: string },
  onNotice: OnRecordNotice,
): Promise<SubmissionReceipt> {
  const account = await accountCaughtUp(box, named, onNotice)
  const { row, submission, releasedAt } = await submissionNamed(box.submissions, account, id)
  const [facts = noFacts] = await box.facts.about(account.id, [row])
  const record = submissionRecord(submission, facts)
  const { handle, settings } = account
  return {
    account: { handle, name: settings.name, timezone: settings.timezone },
    record,
    releasedAt,
    isProcessed: facts.submission !== null,
    form: await box.submissions.formVersion(account.id, submission.formId, submission.formVersion),
    pageKept: record.page === null ? null : await isPageStored(box.assets, record.page.sha256),
  }
}

/** The account's submission with that id. @throws OperatorError with where to find ids */
export async function submissionNamed(
  submissions: Pick<SubmissionReader, 'find'>,
  { id: accountId, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  id: string,
): Promise<StoredSubmission> {
  const found = await submissions.find(accountId, id.toLowerCase())
  if (found !== null) return found
  throw new NotThere(
    `There is no submission "${id}" of ${handle}. \`capture submission list ${handle}\` shows the latest with their ids.`,
  )
}

/** Whether a page's bytes are still stored. */
const isPageStored = async (assets: Pick<AssetStore, 'open'>, sha256: string): Promise<boolean> =>
  (await assets.open({ sha256, encoding: 'identity' })) !== null

/**
 * The landing page served to a submission's device, exactly as it was published.
 *
 * @throws OperatorError when no page is known, or its bytes are missing or damaged
 */
export async function servedPage(
  { assets }: Pick<Box, 'assets'>,
  { page, submissionId }: Pick<SubmissionRecord, 'page' | 'submissionId'>,
): Promise<Uint8Array> {
  if (page === null) {
    throw new OperatorError(
      `No landing page is known to have been served to the device of ${submissionId} before: there are no page bytes.`,
    )
  }
  const { slug, sha256 } = page
  const file = await assets.open({ sha256, encoding: 'identity' })
  if (file === null) {
    throw new OperatorError(
      `The bytes of /${slug} that were served then (SHA-256 ${sha256}) are no longer kept. A backup from that time holds them, and so may the site folder's history.`,
    )
  }
  const bytes = await file.bytes()
  if (Bun.SHA256.hash(bytes, 'hex') === sha256) return bytes
  throw new OperatorError(
    `The bytes kept of /${slug} are damaged: they are not those of SHA-256 ${sha256}. Restore the latest backup: capture restore FILE`,
  )
}

/** The way of whoever sent a submission. */
interface WayToSubmission {
  /** In order of receipt; the submission is the last. */
  records: KnownEntry[]
  /** Whether earlier records were left out. */
  isCut: boolean
}

/**
 * What somebody did on the account's pages until they sent a submission: page views, events, clicks and submissions, the latest
 * `recordsMax`.
 *
 * @throws OperatorError when there is no such account or submission
 */
export async function wayToSubmission(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts' | 'persons'>,
  { account: handle, id, recordsMax }: { account: string; id: string; recordsMax: number },
  onNotice: OnRecordNotice,
): Promise<WayToSubmission> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const { row, submission } = await submissionNamed(box.submissions, account, id)
  const [facts] = await box.facts.about(account.id, [row])
  const rows = await box.persons.way({
    accountId: account.id,
    personId: facts?.personId ?? null,
    deviceId: submission.deviceId,
    until: { receivedAt: submission.receivedAt, cursor: row.cursor },
    limit: recordsMax + 1,
  })
  const known = await withFacts(rows, { facts: box.facts, accountId: account.id })
  const records = known.sort((one, other) => one.entry.receivedAt - other.entry.receivedAt)
  return { records: records.slice(-recordsMax), isCut: records.length > recordsMax }
}
