import { html, type Markup } from '../../../lib/html.ts'
import type { SubmissionChoice } from '../../../report/submission-reader.ts'
import { inboxStates } from '../../inbox/inbox-state.ts'
import { filterNameCharactersMax, type SavedFilter } from '../../inbox/saved-filters.ts'
import { searchForm, tabs } from '../list-parts.ts'
import type { AccountPageCall } from '../page.ts'
import { choices, filtersIn, type InboxQuery, seesStates, stateWords } from './inbox-query.ts'

/** Tabs, search and filters above the list. */
export function inboxFilters(call: AccountPageCall, query: InboxQuery): Markup {
  const { account, url } = call
  const { which, form, q, state } = query
  const forms = account.forms.map(({ id, name }) => option(id, name, form === id))
  const states = inboxStates.map((name) => option(name, stateWords[name], state === name))
  const stateChoice = seesStates(call)
    ? html`<span class="pair"><label for="state">State</label><select id="state" name="state"><option value="">Any</option>${states}</select></span>`
    : null
  const links = choices.map(([choice, text]) => ({ href: hrefOf(url, choice), text, isCurrent: choice === which }))
  const formChoice =
    forms.length > 1 || form !== undefined
      ? html`<span class="pair"><label for="form">Form</label><select id="form" name="form"><option value="">Any</option>${forms}</select></span>`
      : null
  const filters = html`${formChoice}
${stateChoice}`
  return html`${tabs('Which submissions', links)}${searchForm(q, { kept: { status: which }, filters })}`
}

const option = (value: string, text: string, isChosen: boolean): Markup =>
  html`<option value="${value}"${isChosen ? html` selected` : null}>${text}</option>`

function hrefOf({ pathname, searchParams }: URL, choice: SubmissionChoice): string {
  const query = filtersIn(searchParams)
  query.set('status', choice)
  return `${pathname}?${query}`
}

/** The user's saved filters, with forms to save the present filter and to remove one. */
export function savedFilters({ account, url }: AccountPageCall, saved: readonly SavedFilter[]): Markup | null {
  const present = filtersIn(url.searchParams).toString()
  if (present === '' && saved.length === 0) return null
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
    present === ''
      ? null
      : html`<form method="post" action="${place}" class="inline"><input type="hidden" name="do" value="keep"><label for="filter-name">Name</label><input id="filter-name" name="name" maxlength="${filterNameCharactersMax}" required><button>Save this filter</button></form>`
  return html`<div class="saved">${links.length === 0 ? null : html`<nav aria-label="Saved filters"><ul>${links}</ul></nav>`}
<details><summary>${present === '' ? 'Change saved filters' : 'Save this filter'}</summary>${keep}${removals.length === 0 ? null : html`<ul>${removals}</ul>`}</details></div>`
}
