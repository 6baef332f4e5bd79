import { newId } from '../../../lib/id.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { actorOf } from '../../api/audited-call.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { noteCharactersMax, notesMax } from '../../inbox/notes.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPageCall } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { notePageAct } from '../page-audit.ts'
import { mayWork, setState } from './inbox-acts.ts'

/** What a form on a submission's page does. */
export async function submissionAct(call: AccountPageCall, box: ConsoleBox): Promise<Response> {
  if (!mayWork(call)) return messagePage('notAllowed')
  const { fields, params, url } = call
  const submission = params.submission ?? ''
  switch (fields.get('do')) {
    case 'done':
      await setState(call, { box, state: 'done', submission })
      // Back to the list, where the next one waits.
      return seeOther(`/a/${call.account.handle}`)
    case 'seen':
      await setState(call, { box, state: 'seen', submission })
      break
    case 'new':
      await setState(call, { box, state: 'new', submission })
      return seeOther(`/a/${call.account.handle}`)
    case 'note':
      await addNote(call, box, submission)
      return seeOther(`${url.pathname}#notes`)
    case 'remove-note':
      await removeNote(call, box, submission)
      return seeOther(`${url.pathname}#notes`)
    case 'release':
      await releaseSubmission(box, { account: call.account.handle, id: submission }, () => {})
      await notePageAct(call, { action: 'submission.release', subject: submission, box })
      break
    default:
  }
  return seeOther(url.pathname)
}

async function addNote(call: AccountPageCall, box: ConsoleBox, submission: string): Promise<void> {
  const text = (call.fields.get('text') ?? '').replaceAll('\r\n', '\n').trim()
  if (text === '' || text.length > noteCharactersMax)
    throw new OperatorError(`A note has 1 to ${noteCharactersMax} characters. Go back and shorten it.`)
  const note = { id: newId(), at: box.clock.now(), by: actorOf(call.caller), text }
  const outcome = await box.notes.add(call.account.id, submission, note)
  if (outcome === 'unknown') throw new NotThere('There is no such submission.')
  if (outcome === 'full') throw new OperatorError(`A submission takes ${notesMax} notes. Remove one first.`)
  await notePageAct(call, { action: 'submission.note', subject: submission, box })
}

async function removeNote(call: AccountPageCall, box: ConsoleBox, submission: string): Promise<void> {
  if (await box.notes.remove(call.account.id, submission, call.fields.get('note') ?? ''))
    await notePageAct(call, { action: 'submission.note.remove', subject: submission, box })
}
