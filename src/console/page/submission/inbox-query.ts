import type { SubmissionChoice } from '../../../report/submission-reader.ts'
import { isStaff } from '../../access/permission.ts'
import { submissionPlace } from '../../api/submission/submission-cursor.ts'
import { inboxStates } from '../../inbox/inbox-state.ts'
import type { AccountPageCall } from '../page.ts'

export const choices: readonly (readonly [SubmissionChoice, string])[] = [
  ['accepted', 'Leads'],
  ['refused', 'Quarantine'],
  ['all', 'All'],
]

export const stateWords = { new: 'New', seen: 'Seen', done: 'Done' }

/** The parameters that filter the inbox; the place in the list is not one of them. */
const filterNames = ['status', 'state', 'form', 'q'] as const

/** What the inbox's address asks for. @throws ApiError for an invalid cursor */
export function inboxQuery(call: AccountPageCall) {
  const { searchParams } = call.url
  return {
    which: choices.find(([choice]) => choice === searchParams.get('status'))?.[0] ?? 'accepted',
    state: seesStates(call) ? inboxStates.find((state) => state === searchParams.get('state')) : undefined,
    form: searchParams.get('form') || undefined,
    q: searchParams.get('q') || undefined,
    behind: submissionPlace(searchParams.get('cursor')),
  }
}

export type InboxQuery = ReturnType<typeof inboxQuery>

export const seesStates = ({ account, caller }: AccountPageCall): boolean => isStaff(account.id, caller)

/** The filters of an address without its other parameters, to be saved and linked. */
export function filtersIn(search: URLSearchParams): URLSearchParams {
  const filters = new URLSearchParams()
  for (const name of filterNames) {
    const value = search.get(name)
    if (value) filters.set(name, value)
  }
  return filters
}
