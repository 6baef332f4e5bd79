import type { StoredAccount } from '../../account/account.ts'
import type { Markup } from '../../lib/html.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import type { Requirement } from '../access/permission.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { CeremonyPlace } from '../sign-in/passkeys.ts'

/** What the links of the navigation are grouped by, in this order. */
export const linkGroups = ['Leads', 'Site', 'Behind it', 'Box', 'You'] as const

/** What a page is made from, after everything that was to be checked. */
export interface PageCall {
  request: Request
  caller: UserCaller
  address: string
  secure: boolean
  /** Host name and origin as the browser knows them. */
  place: CeremonyPlace
  url: URL
  params: Readonly<Record<string, string>>
  /** Fields of a form that was sent; empty for GET. */
  fields: ReadonlyMap<string, string>
}

export interface AccountPageCall extends PageCall {
  account: StoredAccount
  view: 'whole' | 'masked'
}

/** What stands between header and footer. */
export interface PageContent {
  title: string
  body: Markup
  /** Absent: 200. */
  status?: number
  /** The account's colour, `#rrggbb`, where the page shows it. */
  colour?: string | null
  /** The origin of the documents that stand in its frames; absent: it has none. */
  framesFrom?: string
  /** The browser asks again after so long, while something is under way that the page will show. */
  againAfterSeconds?: number
}

interface PageBasics {
  /** The browser asks for it without anybody's doing, so that it does not keep a session in use. */
  asksByItself?: true
  /** With `:names`; account pages begin with `/a/:account`. */
  path: string
  /** How the navigation leads here; absent: only links of other pages do. */
  link?: { group: (typeof linkGroups)[number]; text: string }
  /** Reads what its forms send itself, after everything that was to be checked: its calls have no fields. */
  readsBody?: true
  /** What its forms may send; absent: `formBytesMax`. */
  formBytesMax?: number
}

/** A page about one account. */
export interface AccountPage extends PageBasics, Requirement {
  of: 'account'
  show(call: AccountPageCall, box: ConsoleBox): Promise<PageContent | Response>
  /** What a form on the page does; answers where to go on. */
  act?(call: AccountPageCall, box: ConsoleBox): Promise<PageContent | Response>
}

/** A page about the whole box, or about the user who looks. */
export interface BoxPage extends PageBasics {
  of: 'box'
  /** `owner`: users who own the box; `signed_in`: every user. */
  for: 'owner' | 'signed_in'
  show(call: PageCall, box: ConsoleBox): Promise<PageContent | Response>
  act?(call: PageCall, box: ConsoleBox): Promise<PageContent | Response>
}

export type Page = AccountPage | BoxPage

export const isUser = (caller: Caller): caller is UserCaller => caller.kind === 'user'
