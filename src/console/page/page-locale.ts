import type { StoredAccount } from '../../account/account.ts'
import { Locale } from '../../language/locale.ts'
import type { UserCaller } from '../access/caller.ts'
import { consoleLocale } from '../access/console-locale.ts'
import type { ConsoleBox } from '../console-box.ts'

const english = new Locale('en')

/** The language of a page: the account's for its customers, English for everybody else. @param account `null`: a page of the box */
export async function localeOfPage(
  caller: UserCaller,
  account: StoredAccount | null,
  box: Pick<ConsoleBox, 'accounts'>,
): Promise<Locale> {
  if (account !== null) return consoleLocale(account, caller)
  const [first] = isCustomer(caller) ? caller.roles.keys() : []
  const handle = (await box.accounts.list()).find(({ id }) => id === first)?.handle
  const own = handle === undefined ? null : await box.accounts.find(handle)
  return own === null ? english : new Locale(own.settings.language)
}

/** Whether all that the user may see are reports and leads. */
export const isCustomer = ({ isOwner, roles }: UserCaller): boolean =>
  !isOwner && roles.size > 0 && [...roles.values()].every(({ role }) => role === 'client')
