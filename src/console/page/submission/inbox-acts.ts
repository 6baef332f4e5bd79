import { newId } from '../../../lib/id.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { permissionOn } from '../../access/permission.ts'
import { actorOf } from '../../api/audited-call.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { InboxState } from '../../inbox/inbox-state.ts'
import { filterNameCharactersMax, filterQueryCharactersMax, savedFiltersMax } from '../../inbox/saved-filters.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPageCall } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { notePageAct } from '../page-audit.ts'
import { filtersIn } from './inbox-query.ts'

/** Whether the user may release submissions, say how far they are, and write notes: editors and administrators. */
export const mayWork = ({ account, caller }: AccountPageCall): boolean =>
  permissionOn(account.id, caller, { scope: 'release', clients: 'nothing' }) === 'whole'

/** What a form of the inbox does; the list is shown again as it was. */
export async function inboxAct(call: AccountPageCall, box: ConsoleBox): Promise<Response> {
  const { fields, url } = call
  const what = fields.get('do')
  if (what === 'done' || what === 'seen') return workedOn(call, { box, state: what })
  if (what === 'save-filter') await saveFilter(call, box)
  else if (what === 'remove-filter') await box.savedFilters.remove(ownerOf(call), fields.get('filter') ?? '')
  return seeOther(url.pathname + url.search)
}

async function workedOn(call: AccountPageCall, { box, state }: { box: ConsoleBox; state: InboxState }) {
  if (!mayWork(call)) return messagePage('notAllowed')
  await setState(call, { box, state, submission: call.fields.get('submission') ?? '' })
  return seeOther(call.url.pathname + call.url.search)
}

/** Says how far a submission is. @throws NotThere */
export async function setState(
  call: AccountPageCall,
  { box, state, submission }: { box: ConsoleBox; state: InboxState; submission: string },
): Promise<void> {
  const given = { state, at: box.clock.now(), by: actorOf(call.caller) }
  if (!(await box.inboxStates.set(call.account.id, submission, given)))
    throw new NotThere('There is no such submission.')
  await notePageAct(call, { action: 'submission.state', subject: submission, box })
}

async function saveFilter(call: AccountPageCall, { savedFilters }: ConsoleBox): Promise<void> {
  const name = (call.fields.get('name') ?? '').trim()
  const query = filtersIn(call.url.searchParams).toString()
  if (name === '' || name.length > filterNameCharactersMax || query === '' || query.length > filterQueryCharactersMax)
    throw new OperatorError(
      `Choose a filter first, with a search that is not too long, and give it a name of 1 to ${filterNameCharactersMax} characters.`,
    )
  if (!(await savedFilters.save(ownerOf(call), { id: newId(), name, query })))
    throw new OperatorError(`You have ${savedFiltersMax} saved filters. Remove one first.`)
}

export const ownerOf = ({ caller, account }: AccountPageCall) => ({ userId: caller.userId, accountId: account.id })
