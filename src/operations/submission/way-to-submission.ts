import { type KnownEntry, withFacts } from '../../report/export.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { submissionNamed } from './show-submission.ts'

/** The way of whoever sent a submission. */
export interface WayToSubmission {
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
