import type { StoredAccount } from '../../account/account.ts'
import { acceptedLanguage } from '../../language/accepted-language.ts'
import { english, Locale } from '../../language/locale.ts'
import type { UserCaller } from '../access/caller.ts'
import { consoleLocale } from '../access/console-locale.ts'
import type { Arrived } from '../arrived.ts'
import type { ConsoleBox } from '../console-box.ts'
import { signedInUser } from './page-http.ts'

/** The language of a page: the account's for its customers, English for everybody else. @param account `null`: a page of the box */
export async function localeOfPage(
  caller: UserCaller,
  account: StoredAccount | null,
  box: Pick<ConsoleBox, 'accounts'>,
): Promise<Locale> {
  const read = account ?? (await accountOfCustomer(caller, box))
  return read === null ? english : consoleLocale(read, caller)
}

/** Who has not signed in reads the language of ours that their browser prefers. */
export const localeOfStranger = (request: Request): Locale => new Locale(acceptedLanguage(request))

/** The language of a page that is there for everybody: that of whoever has signed in, or a stranger's. */
export async function localeOfReader(asked: Omit<Arrived, 'params'>, box: ConsoleBox): Promise<Locale> {
  const caller = await signedInUser(asked, box, { isUse: false })
  return caller === null ? localeOfStranger(asked.request) : localeOfPage(caller, null, box)
}

/** The first account of a customer; `null`: the user is none, or the account is gone. */
export async function accountOfCustomer(
  caller: UserCaller,
  { accounts }: Pick<ConsoleBox, 'accounts'>,
): Promise<StoredAccount | null> {
  const [first] = isCustomer(caller) ? caller.roles.keys() : []
  const handle = first === undefined ? undefined : (await accounts.list()).find(({ id }) => id === first)?.handle
  return handle === undefined ? null : accounts.find(handle)
}

/** Whether all that the user may see are reports and leads. */
export const isCustomer = ({ isOwner, roles }: UserCaller): boolean =>
  !isOwner && roles.size > 0 && [...roles.values()].every(({ role }) => role === 'client')
