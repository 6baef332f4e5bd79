import { Type } from '@sinclair/typebox'
import { flag, text, textOrNull } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, catchUp, type OnRecordNotice } from '../record/catch-up.ts'
import { decided } from './decided.ts'
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
    const refusal = await box.quarantine.refuse(account.id, submission.id, box.clock.now())
    const { outcome, at } = decided(refusal, { id: submission.id, act: 'refuse' })
    await catchUp(box.processing, onNotice)
    const answer = {
      account: account.handle,
      submissionId: submission.id,
      refused: outcome === 'refused',
      refusedAt: at,
    }
    return { answer, formId: submission.formId }
  },
})
