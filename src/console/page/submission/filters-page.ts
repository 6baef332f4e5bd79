import { newId } from '../../../lib/id.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { filterNameCharactersMax, filterQueryCharactersMax, savedFiltersMax } from '../../inbox/saved-filters.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageAct } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { filtersIn } from './inbox-query.ts'

const keep: PageAct<AccountPageCall> = {
  async run(call, { savedFilters }) {
    const name = (call.fields.get('name') ?? '').trim()
    const query = filtersIn(call.url.searchParams).toString()
    if (name === '' || name.length > filterNameCharactersMax || query === '' || query.length > filterQueryCharactersMax)
      throw new OperatorError(
        `Set a filter or a shorter search first, and give it a name of 1 to ${filterNameCharactersMax} characters.`,
      )
    if (!(await savedFilters.save(ownerOf(call), { id: newId(), name, query })))
      throw new OperatorError(`You have ${savedFiltersMax} saved filters. Remove one first.`)
    return { answer: toInbox(call), notice: `Saved the filter ${name}.` }
  },
}

const remove: PageAct<AccountPageCall> = {
  async run(call, { savedFilters }) {
    await savedFilters.remove(ownerOf(call), call.fields.get('filter') ?? '')
    return { answer: toInbox(call), notice: 'Removed the saved filter.' }
  },
}

/**
 * `/a/ACCOUNT/filters?status&state&form&q`: saves the inbox's filters for this user alone, whatever their role, and leads back to the
 * inbox.
 */
export const filtersPage: AccountPage = {
  of: 'account',
  path: '/a/:account/filters',
  scope: 'read',
  clients: 'masked',
  show: async (call) => toInbox(call),
  forms: { scope: 'read', clients: 'masked', chosen: actsBy('do', { keep, remove }) },
}

const toInbox = ({ account, url }: AccountPageCall): Response => {
  const query = filtersIn(url.searchParams).toString()
  return seeOther(`/a/${account.handle}${query === '' ? '' : `?${query}`}`)
}

export const ownerOf = ({ caller, account }: AccountPageCall) => ({ userId: caller.userId, accountId: account.id })
