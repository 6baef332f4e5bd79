import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { text } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { type Erased, type ErasingBox, type ErasureParts, erasable, erase, erasureAnswer } from '../erasure/erase.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import { submissionNamed } from './show-submission.ts'

/** Removes a submission with all that follows from it, as an erasure does, and leaves whatever else its sender did. */
export const removeSubmission = defineAct({
  name: 'submission.remove',
  text: 'Remove a submission for good, with all that follows from it',
  of: 'account',
  scope: 'erase',
  right: 'remove',
  asksAgain: true,
  input: Type.Object({ submission: text }),
  answer: erasureAnswer,
  subject: ({ submission }) => submission,
  async run(
    box: ErasingBox & ErasureParts & Pick<Box, 'submissions' | 'processing'>,
    { account: handle, submission: id },
    { onNotice }: { onNotice: OnRecordNotice },
  ) {
    const account = await accountCaughtUp(box, handle, onNotice)
    const { submission } = await submissionNamed(box.submissions, account, id)
    return erase(box, account, aloneOf([submission.id]))
  },
})

/** Counts what `removeSubmission` would remove. @throws NotThere when there is no such account or submission */
export async function erasableSubmission(
  box: ErasingBox & Pick<Box, 'submissions' | 'processing'>,
  { account: handle, submission: id }: { account: string; submission: string },
  onNotice: OnRecordNotice,
): ReturnType<typeof erasable> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const { submission } = await submissionNamed(box.submissions, account, id)
  return erasable(box, account, aloneOf([submission.id]))
}

/** Removes several at once: clearing the database's file takes as long for one as for all. */
export const removeTogether = (
  box: ErasingBox & ErasureParts,
  account: StoredAccount,
  ids: readonly string[],
): ReturnType<typeof erase> => erase(box, account, aloneOf(ids))

const aloneOf = (ids: readonly string[]): Erased => ({ email: null, sent: { ids, reach: 'record' } })
