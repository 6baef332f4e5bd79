import { Type } from '@sinclair/typebox'
import { flag, text, textOrNull } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, catchUp, type OnRecordNotice } from '../record/catch-up.ts'
import { decided } from './decided.ts'
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
    const release = await box.quarantine.release(account.id, submission.id, box.clock.now())
    const { outcome, at } = decided(release, { id: submission.id, act: 'release' })
    await catchUp(box.processing, onNotice)
    const [found] = await box.facts.about(account.id, [row])
    const answer = {
      account: account.handle,
      submissionId: submission.id,
      released: outcome === 'released',
      releasedAt: at,
      duplicateOf: found?.submission?.duplicateOf ?? null,
    }
    return { answer, formId: submission.formId }
  },
})
