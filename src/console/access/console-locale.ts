import type { StoredAccount } from '../../account/account.ts'
import { Locale } from '../../language/locale.ts'
import type { UserCaller } from './caller.ts'

/** Clients read an account's pages in its language, everybody else in English. */
export function consoleLocale({ id, settings }: StoredAccount, { isOwner, roles }: UserCaller): Locale {
  const isClient = !isOwner && roles.get(id)?.role === 'client'
  return new Locale(isClient ? settings.language : 'en')
}
