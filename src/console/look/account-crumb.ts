import type { StoredAccount } from '../../account/account.ts'
import { html, type Markup } from '../../lib/html.ts'
import { count } from '../../lib/quantities.ts'
import { accountBadge } from './account-look.ts'

export interface OtherAccounts {
  number: number
  /** Empty if there are too many for a menu. */
  shown: readonly Pick<StoredAccount, 'handle' | 'settings'>[]
}

/** The account of the page, with a menu of the user's other accounts. */
export function accountCrumb(account: StoredAccount, others: OtherAccounts): Markup {
  const name = html`${accountBadge(account)} <span class="name">${account.settings.name}</span>`
  if (others.number === 0) return html`<span class="crumb">${name}</span>`
  return html`<button type="button" class="quiet crumb" popovertarget="accounts">${name}<span class="unseen"> (switch account)</span></button>
<nav id="accounts" popover aria-label="Accounts"><ul>${others.shown.map(accountLink)}<li><a href="/">All accounts (${count(others.number + 1)})</a></li></ul></nav>`
}

const accountLink = (account: OtherAccounts['shown'][number]): Markup =>
  html`<li><a href="/a/${account.handle}">${accountBadge(account)} <span class="name">${account.settings.name}</span></a></li>`
