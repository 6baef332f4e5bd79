import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { text } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { type Erased, type ErasingBox, type ErasureParts, erasable, erase, erasureAnswer } from '../erasure/erase.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import { submissionNamed } from '../submission/show-submission.ts'
import { personIdOf, personNamed } from './person-named.ts'

/**
 * Erases a person, by `personId` or address, or whoever sent a submission. The receipt does not contain the address. A second call
 * finishes an interrupted erasure.
 */
export const erasePerson = defineAct({
  name: 'person.erase',
  text: 'Erase a person, by personId or address, or whoever sent a submission',
  of: 'account',
  scope: 'erase',
  asksAgain: true,
  input: Type.Union([Type.Object({ person: text }), Type.Object({ submission: text })]),
  answer: erasureAnswer,
  /** The audit log names persons by `personId`, never by address. */
  subject: (input, box: Pick<Box, 'accounts' | 'persons'>) =>
    'submission' in input ? input.submission : personIdOf(box, input),
  async run(
    box: ErasingBox & SearchedBox & ErasureParts,
    { account: handle, ...by },
    { onNotice }: { onNotice: OnRecordNotice },
  ) {
    const { account, erased } = await meant(box, { handle, by }, onNotice)
    return erase(box, account, erased)
  },
})

/** By a person, or by a submission of theirs. */
type ErasedBy = { person: string } | { submission: string }

type SearchedBox = Pick<Box, 'accounts' | 'processing' | 'persons' | 'submissions' | 'facts'>

/** Counts what `erasePerson` would erase. @throws NotThere when there is no such account, person or submission */
export async function erasablePerson(
  box: ErasingBox & SearchedBox,
  { account: handle, ...by }: ErasedBy & { account: string },
  onNotice: OnRecordNotice,
): ReturnType<typeof erasable> {
  const { account, erased } = await meant(box, { handle, by }, onNotice)
  return erasable(box, account, erased)
}

/** Whom it means, as far as the box knows them. */
async function meant(
  box: SearchedBox,
  { handle, by }: { handle: string; by: ErasedBy },
  onNotice: OnRecordNotice,
): Promise<{ account: StoredAccount; erased: Erased }> {
  if (!('submission' in by)) {
    const account = await accountNamed(box.accounts, handle)
    return { account, erased: { email: (await personNamed(box, account, by.person)).email } }
  }
  const account = await accountCaughtUp(box, handle, onNotice)
  const { submission, row } = await submissionNamed(box.submissions, account, by.submission)
  const [facts] = await box.facts.about(account.id, [row])
  const personId = facts?.personId ?? null
  // Without an address, it is whose its device was.
  const owner = personId === null ? null : await box.persons.withId(account.id, personId)
  const email = submission.email ?? owner?.email ?? null
  return { account, erased: { email, sent: { ids: [submission.id], reach: 'sender' } } }
}
