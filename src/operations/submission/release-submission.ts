import { Type } from '@sinclair/typebox'
import { OperatorError } from '../../lib/operator-error.ts'
import { flag, text, textOrNull } from '../../lib/schema.ts'
import type { ReleaseOutcome } from '../../processing/processing.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, catchUp, type OnRecordNotice } from '../record/catch-up.ts'
import { submissionNamed } from './show-submission.ts'

/** Releases a submission that was refused: one refused as a bot counts from now on, one that an operator refused as before. */
export const releaseSubmission = defineAct({
  name: 'submission.release',
  text: 'Release a submission that was refused as a bot, or by an operator',
  of: 'account',
  scope: 'release',
  input: Type.Object({ submission: text }),
  answer: Type.Object({
    account: text,
    submissionId: text,
    released: flag,
    releasedAt: textOrNull,
    duplicateOf: textOrNull,
  }),
  subject: ({ submission }) => submission,
  async run(
    box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts' | 'quarantine' | 'clock'>,
    { account: handle, submission: id },
    { onNotice }: { onNotice: OnRecordNotice },
  ) {
    const account = await accountCaughtUp(box, handle, onNotice)
    const { row, submission } = await submissionNamed(box.submissions, account, id)
    const release = settled(await box.quarantine.release(account.id, submission.id, box.clock.now()), submission.id)
    await catchUp(box.processing, onNotice)
    const [found] = await box.facts.about(account.id, [row])
    const { outcome, releasedAt } = release
    const answer = {
      account: account.handle,
      submissionId: submission.id,
      released: outcome === 'released',
      releasedAt: releasedAt === null ? null : new Date(releasedAt).toISOString(),
      duplicateOf: found?.submission?.duplicateOf ?? null,
    }
    return { answer, formId: submission.formId }
  },
})

export const notProcessedYet = (id: string): OperatorError =>
  new OperatorError(
    `${id} has not been processed yet: try again in a moment. If it fails again, run \`capture doctor\`.`,
  )

interface Settled {
  /** `accepted`: the submission was never refused. */
  outcome: 'released' | 'already_released' | 'accepted'
  /** Time of the release, epoch milliseconds; `null`: accepted on receipt. */
  releasedAt: number | null
}

/** The outcome if the submission now counts. @throws OperatorError if it does not */
function settled(release: ReleaseOutcome, id: string): Settled {
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
      throw notProcessedYet(id)
    case 'unknown':
      throw new OperatorError(`${id} was removed just now.`)
  }
}
