import { NotThere } from '../../../lib/operator-error.ts'
import { actorOf } from '../../audit/noted-act.ts'
import type { InboxState } from '../../inbox/inbox-state.ts'
import type { AccountPageCall, PageAct } from '../page.ts'
import { seeOther } from '../page-answer.ts'

const stateSaid: Record<InboxState, string> = { new: 'Marked as new.', seen: 'Reopened.', done: 'Marked as done.' }

/** Sets a submission's state. @param to the next page */
export const setsState = (
  state: InboxState,
  { submission, to }: Record<'submission' | 'to', (call: AccountPageCall) => string>,
): PageAct<AccountPageCall> => ({
  noted: { action: 'submission.state', subject: submission },
  async run(call, box) {
    const given = { state, at: box.clock.now(), by: actorOf(call.caller) }
    if (!(await box.inboxStates.set(call.account.id, submission(call), given)))
      throw new NotThere('There is no such submission.')
    return { answer: seeOther(to(call)), notice: stateSaid[state] }
  },
})

const ofRow = {
  submission: ({ fields }: AccountPageCall) => fields.get('submission') ?? '',
  /** Back to the same list. */
  to: ({ url }: AccountPageCall) => url.pathname + url.search,
}

/** The acts of the forms in the inbox's rows. */
export const rowActs = { done: setsState('done', ofRow), seen: setsState('seen', ofRow) }
