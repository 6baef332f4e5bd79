import { OperatorError } from '../../lib/operator-error.ts'
import type { ReleaseOutcome } from '../../processing/processing.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, catchUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { submissionNamed } from './submission-named.ts'

export interface ReleasedSubmission {
  account: string
  submissionId: string
  formId: string
  /** `accepted`: the submission was never refused. */
  outcome: 'released' | 'already_released' | 'accepted'
  /** Time of the release, epoch milliseconds; `null`: accepted on receipt. */
  releasedAt: number | null
  /** The id of the earlier submission that it probably repeats. */
  duplicateOf: string | null
}

/**
 * Releases a submission that was refused as a bot, so that it counts from now on.
 *
 * @throws OperatorError when there is no such account or submission, or when it cannot count
 */
export async function releaseSubmission(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts' | 'quarantine' | 'clock'>,
  { account: handle, id }: { account: string; id: string },
  onNotice: OnRecordNotice,
): Promise<ReleasedSubmission> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const { row, submission } = await submissionNamed(box.submissions, account, id)
  const release = settled(await box.quarantine.release(account.id, submission.id, box.clock.now()), submission.id)
  await catchUp(box.processing, onNotice)
  const [found] = await box.facts.about(account.id, [row])
  return {
    account: account.handle,
    submissionId: submission.id,
    formId: submission.formId,
    ...release,
    duplicateOf: found?.submission?.duplicateOf ?? null,
  }
}

/** The outcome if the submission now counts. @throws OperatorError if it does not */
function settled(release: ReleaseOutcome, id: string): Pick<ReleasedSubmission, 'outcome' | 'releasedAt'> {
  switch (release.outcome) {
    case 'released':
    case 'already_released':
      return { outcome: release.outcome, releasedAt: release.at }
    case 'accepted':
      return { outcome: 'accepted', releasedAt: null }
    case 'test_page':
      throw new OperatorError(
        `${id} was sent by the hosted test page, whose submissions never count: there is nothing to release.`,
      )
    case 'unprocessed':
      throw new OperatorError(
        `${id} has not been processed yet: try again in a moment. If it fails again, run \`capture doctor\`.`,
      )
    case 'unknown':
      throw new OperatorError(`${id} was removed just now.`)
  }
}
