import { html, type Markup } from '../../../lib/html.ts'
import { newId } from '../../../lib/id.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { count } from '../../../lib/quantities.ts'
import { countedMax, type SubmissionChoice, type SubmissionCounts } from '../../../report/submission-reader.ts'
import { isStaff } from '../../access/permission.ts'
import { submissionPlace } from '../../api/submissions.ts'
import {
  filterNameCharactersMax,
  filterQueryCharactersMax,
  inboxStates,
  type SavedFilter,
  savedFiltersMax,
} from '../../inbox/inbox.ts'
import { option } from '../../look/fields.ts'
import { searchedFrom, searchForm, tabs } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'

const choices: readonly (readonly [SubmissionChoice, string])[] = [
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
  const behind = submissionPlace(searchParams.get('cursor'))
  // Clients see leads, the latest first.
  if (!seesStates(call)) return { which: 'accepted' as const, state: undefined, form: undefined, q: undefined, behind }
  return {
    which: choices.find(([choice]) => choice === searchParams.get('status'))?.[0] ?? 'accepted',
    state: inboxStates.find((state) => state === searchParams.get('state')),
    form: searchParams.get('form') || undefined,
    q: searchParams.get('q') || undefined,
    behind,
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

export function inboxFilters({ account, url }: AccountPageCall, query: InboxQuery, counts: SubmissionCounts): Markup {
  const { which, form, q, state } = query
  const forms = account.forms.map(({ id, name }) => option(id, form, name))
  const states = inboxStates.map((name) => option(name, state, stateWords[name]))
  // What is in quarantine waits for a release alone.
  const hasStates = which !== 'refused' || state !== undefined
  const stateChoice = hasStates
    ? html`<span class="pair"><label for="state">State</label><select id="state" name="state"><option value="">Any state</option>${states}</select></span>`
    : null
  const links = choices.map(([choice, text]) => ({
    href: hrefOf(url, choice),
    text: html`${text}${countPart(choice, counts)}`,
    isCurrent: choice === which,
  }))
  const formChoice =
    forms.length > 1 || form !== undefined
      ? html`<span class="pair"><label for="form">Form</label><select id="form" name="form"><option value="">Any form</option>${forms}</select></span>`
      : null
  const filters = [formChoice, stateChoice].filter((choice) => choice !== null)
  const isAsked = (q ?? form ?? state) !== undefined
  const listed = which === 'all' ? counts.accepted + counts.refused : counts[which]
  const search =
    listed < searchedFrom && !isAsked
      ? null
      : searchForm(q, { kept: { status: which }, filters, hint: 'Search', action: url.pathname })
  return html`${tabs('Which submissions', links)}${search}`
}

/** How many there are, and of leads how many are new. */
function countPart(choice: SubmissionChoice, counts: SubmissionCounts): Markup | null {
  if (choice === 'all') return null
  const total = html` <span class="count" data-count="${choice}">${boundedCount(counts[choice])}</span>`
  if (choice === 'refused') return total
  return html`${total}<small class="count"${counts.new === 0 ? html` hidden` : null}> <span data-count="new">${boundedCount(counts.new)}</span> new</small>`
}

const boundedCount = (number: number): string => (number < countedMax ? count(number) : `${count(countedMax)}+`)

function hrefOf({ pathname, searchParams }: URL, choice: SubmissionChoice): string {
  const query = filtersIn(searchParams)
  query.set('status', choice)
  return `${pathname}?${query}`
}

export function savedFilters({ account, url }: AccountPageCall, saved: readonly SavedFilter[]): Markup | null {
  const filters = filtersIn(url.searchParams)
  const present = filters.toString()
  // A tab alone is one tap away already.
  const isWorthKeeping = filters.size > (filters.has('status') ? 1 : 0)
  if (!isWorthKeeping && saved.length === 0) return null
  const place = `/a/${account.handle}/filters?${present}`
  const links = saved.map(
    ({ name, query }) =>
      html`<li><a href="${url.pathname}?${query}"${query === present ? html` aria-current="true"` : null}>${name}</a></li>`,
  )
  const removals = saved.map(
    ({ id, name }) =>
      html`<li>${name} <form method="post" action="${place}"><input type="hidden" name="do" value="remove"><input type="hidden" name="filter" value="${id}"><button class="quiet" aria-label="Remove ${name}">Remove</button></form></li>`,
  )
  const keep =
    isWorthKeeping &&
    html`<form method="post" action="${place}" class="inline"><input type="hidden" name="do" value="keep"><label for="filter-name">Name</label><input id="filter-name" name="name" maxlength="${filterNameCharactersMax}" required><button>Save this filter</button></form>`
  return html`<div class="saved">${links.length === 0 ? null : html`<nav aria-label="Saved filters"><ul>${links}</ul></nav>`}
<details><summary>${isWorthKeeping ? 'Save this filter' : 'Change saved filters'}</summary>${keep || null}${removals.length === 0 ? null : html`<ul>${removals}</ul>`}</details></div>`
}

const keepFilter: PageAct<AccountPageCall> = {
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

const removeFilter: PageAct<AccountPageCall> = {
  async run(call, { savedFilters }) {
    await savedFilters.remove(ownerOf(call), call.fields.get('filter') ?? '')
    return { answer: toInbox(call), notice: 'Removed the saved filter.' }
  },
}

/**
 * `/a/ACCOUNT/filters?status&state&form&q`: saves the inbox's filters for this user alone, and leads back to the inbox.
 */
export const filtersPage: AccountPage = {
  path: '/a/:account/filters',
  scope: 'read',
  show: async (call) => toInbox(call),
  forms: { scope: 'read', chosen: actsBy('do', { keep: keepFilter, remove: removeFilter }) },
}

const toInbox = ({ account, url }: AccountPageCall): Response => {
  const query = filtersIn(url.searchParams).toString()
  return seeOther(`/a/${account.handle}${query === '' ? '' : `?${query}`}`)
}

export const ownerOf = ({ caller, account }: AccountPageCall) => ({ userId: caller.userId, accountId: account.id })
