import type { StoredAccount } from '../../account/account.ts'
import { html, type Markup } from '../../lib/html.ts'
import { count } from '../../lib/quantities.ts'
import { accountBadge } from './account-look.ts'

/** The other accounts that whoever looks has a part in. */
export interface OtherAccounts {
  number: number
  /** Empty, where they are more than one chooses from at a glance. */
  shown: readonly Pick<StoredAccount, 'handle' | 'settings'>[]
}

/** The account that a page is about, and the way to others. */
export function accountCrumb(account: StoredAccount, others: OtherAccounts): Markup {
  const name = html`${accountBadge(account)} <span class="name">${account.settings.name}</span>`
  if (others.number === 0) return html`<span class="crumb">${name}</span>`
  return html`<button type="button" class="quiet crumb" popovertarget="accounts">${name}<span class="unseen"> (switch account)</span></button>
<nav id="accounts" popover aria-label="Accounts"><ul>${others.shown.map(accountLink)}<li><a href="/">All accounts (${count(others.number + 1)})</a></li></ul></nav>`
}

const accountLink = (account: OtherAccounts['shown'][number]): Markup =>
  html`<li><a href="/a/${account.handle}">${accountBadge(account)} <span class="name">${account.settings.name}</span></a></li>`
