import type { StoredAccount } from '../../account/account.ts'
import type { Locale } from '../../language/locale.ts'
import { html } from '../../lib/html.ts'
import type { UserCaller } from '../access/caller.ts'
import { hasPart } from '../access/permission.ts'
import type { Arrived } from '../arrived.ts'
import type { ConsoleBox } from '../console-box.ts'
import { notice } from '../look/notice.ts'
import { bareShell, type OtherAccounts, shell } from '../look/shell.ts'
import type { PageContent } from '../page-content.ts'
import { framingPageAnswer, messageContent, messagePage, pageAnswer, signedInUser } from './page-http.ts'
import { accountOfCustomer, isCustomer, localeOfPage, localeOfStranger } from './page-locale.ts'
import { navigationOf, otherAccounts } from './pages.ts'

/** For paths where the console has nothing. Below an account's address it leads back to the account's inbox. */
export async function answerNothing(asked: Omit<Arrived, 'params'>, box: ConsoleBox): Promise<Response> {
  const caller = await signedInUser(asked, box, { isUse: false })
  if (caller === null) return messagePage('nothingHere', localeOfStranger(asked.request))
  const { pathname } = new URL(asked.request.url)
  const handle = /^\/a\/([^/]+)\//.exec(pathname)?.[1]
  const account = await accountAround(handle === undefined ? null : await box.accounts.find(handle), caller, box)
  const locale = await localeOfPage(caller, account, box)
  const links = navigationOf(caller, account, locale).flatMap((group) => group.links)
  const list = links.find(({ href }) => href === `/a/${account?.handle}`) ?? links[0]
  return withinShell(messageContent('nothingHere', locale, { list }), { caller, account, path: pathname, locale }, box)
}

/** The account whose pages are around a page; nobody sees that there is one in which they have no part. */
export async function accountAround(
  account: StoredAccount | null,
  caller: UserCaller,
  box: ConsoleBox,
): Promise<StoredAccount | null> {
  if (account !== null && hasPart(caller, account.id)) return account
  return caller.roles.size === 1 ? accountOfCustomer(caller, box) : null
}

const noOthers: OtherAccounts = { number: 0, shown: [] }

interface Around {
  caller: UserCaller
  account: StoredAccount | null
  path: string
  locale: Locale
}

export async function withinShell(
  content: PageContent & { title: string },
  around: Around,
  box: Pick<ConsoleBox, 'accounts' | 'changes'>,
): Promise<Response> {
  const { caller, account, locale } = around
  const { framesFrom, againAfterSeconds, status, title } = content
  const navigation = navigationOf(caller, account, locale)
  const others = account === null ? noOthers : await otherAccounts(box.accounts, { caller, account })
  const note = box.changes?.areBehind() ? notice('doubtful', locale.texts.console.onOneServer) : null
  // To its customers the account is at home here; who works on several sees each page in one look.
  const colour = account !== null && isCustomer(caller) ? account.settings.brand.colour : null
  if (content.isAlone) {
    const body = html`<h1>${title}</h1>${note}${content.body}`
    return pageAnswer(bareShell({ title, body, language: locale.language }), status)
  }
  const document = shell({ ...content, body: html`${note}${content.body}`, ...around, others, navigation, colour })
  if (framesFrom !== undefined) return framingPageAnswer(document, framesFrom, status)
  const refresh = againAfterSeconds === undefined ? {} : { refresh: String(againAfterSeconds) }
  return pageAnswer(document, status, { 'content-language': locale.language, ...refresh })
}
