import { Type } from '@sinclair/typebox'
import { OperatorError } from '../../lib/operator-error.ts'
import { flag, text, textOrNull } from '../../lib/schema.ts'
import type { RefusalOutcome } from '../../processing/processing.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, catchUp, type OnRecordNotice } from '../record/catch-up.ts'
import { notProcessedYet } from './release-submission.ts'
import { submissionNamed } from './show-submission.ts'

/** Refuses a submission that counts: it goes into quarantine, and is in no figure any more. */
export const refuseSubmission = defineAct({
  name: 'submission.refuse',
  text: 'Refuse a submission: into quarantine, until it is released',
  of: 'account',
  scope: 'release',
  input: Type.Object({ submission: text }),
  answer: Type.Object({ account: text, submissionId: text, refused: flag, refusedAt: textOrNull }),
  subject: ({ submission }) => submission,
  async run(
    box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'quarantine' | 'clock'>,
    { account: handle, submission: id },
    { onNotice }: { onNotice: OnRecordNotice },
  ) {
    const account = await accountCaughtUp(box, handle, onNotice)
    const { submission } = await submissionNamed(box.submissions, account, id)
    const { outcome, at } = settled(
      await box.quarantine.refuse(account.id, submission.id, box.clock.now()),
      submission.id,
    )
    await catchUp(box.processing, onNotice)
    const answer = {
      account: account.handle,
      submissionId: submission.id,
      refused: outcome === 'refused',
      refusedAt: at === null ? null : new Date(at).toISOString(),
    }
    return { answer, formId: submission.formId }
  },
})

type Refused = Extract<RefusalOutcome, { outcome: 'refused' | 'already_refused' }>

/** The outcome if the submission is in quarantine now. @throws OperatorError if it is not */
function settled(refusal: RefusalOutcome, id: string): Refused {
  switch (refusal.outcome) {
    case 'refused':
    case 'already_refused':
      return refusal
    case 'test_page':
      throw new OperatorError(
        `${id} was sent by the hosted test page, whose submissions never count: there is nothing to refuse.`,
      )
    case 'unprocessed':
      throw notProcessedYet(id)
    case 'unknown':
      throw new OperatorError(`${id} was removed just now.`)
  }
}
