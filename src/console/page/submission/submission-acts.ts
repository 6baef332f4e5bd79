import { newId } from '../../../lib/id.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { actorOf } from '../../audit/noted-act.ts'
import { noteCharactersMax, notesMax } from '../../inbox/notes.ts'
import { FormRefusal } from '../form-refusal.ts'
import type { AccountPageCall, PageAct } from '../page.ts'
import { setsState } from './inbox-acts.ts'

const ofPage = ({ params }: AccountPageCall): string => params.submission ?? ''
const here = ({ url }: AccountPageCall): string => url.pathname
/** Back to the list, to the next submission. */
const toList = ({ account }: AccountPageCall): string => `/a/${account.handle}`

const note: PageAct<AccountPageCall> = {
  noted: { action: 'submission.note', subject: ofPage },
  async run(call, box) {
    const text = (call.fields.get('text') ?? '').replaceAll('\r\n', '\n').trim()
    if (text === '' || text.length > noteCharactersMax)
      throw new FormRefusal(`A note must have 1 to ${noteCharactersMax} characters. Go back and change it.`)
    const written = { id: newId(), at: box.clock.now(), by: actorOf(call.caller), text }
    const outcome = await box.notes.add(call.account.id, ofPage(call), written)
    if (outcome === 'unknown') throw new NotThere('There is no such submission.')
    if (outcome === 'full') throw new OperatorError(`A submission can have ${notesMax} notes. Remove one first.`)
    return { notice: { text: 'Saved the note.', place: 'notes' } }
  },
}

const removeNote: PageAct<AccountPageCall> = {
  noted: { action: 'submission.note.remove', subject: ofPage },
  async run(call, box) {
    if (!(await box.notes.remove(call.account.id, ofPage(call), call.fields.get('note') ?? '')))
      throw new NotThere('There is no such note.')
    return { notice: { text: 'Removed the note.', place: 'notes' } }
  },
}

const release: PageAct<AccountPageCall> = {
  noted: { action: 'submission.release', subject: ofPage },
  async run(call, box) {
    await releaseSubmission(box, { account: call.account.handle, id: ofPage(call) }, () => {})
    return { notice: 'Released. From now on it counts as a lead.' }
  },
}

/** Not in the audit log: everybody who reads leads does it all day. */
const see: PageAct<AccountPageCall> = {
  async run(call, { inboxStates, clock }) {
    await inboxStates.see(call.account.id, ofPage(call), { at: clock.now(), by: actorOf(call.caller) })
    return { notice: 'Marked as seen.' }
  },
}

/** The acts of the forms on a submission's page. */
export const submissionActs: Record<string, PageAct<AccountPageCall>> = {
  see,
  done: setsState('done', { submission: ofPage, to: toList }),
  seen: setsState('seen', { submission: ofPage, to: here }),
  new: setsState('new', { submission: ofPage, to: toList }),
  note,
  'remove-note': removeNote,
  release,
}
