import type { StoredAccount } from '../../account/account.ts'
import { type Right, scopeOf } from '../../account/scope.ts'
import type { Locale } from '../../language/locale.ts'
import type { OperatorError } from '../../lib/operator-error.ts'
import type { NotedResult } from '../../operations/act.ts'
import type { ActName } from '../../operations/act-words.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import { permissionOn, type Requirement } from '../access/permission.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { NavigationLink } from '../look/shell.ts'
import type { PageContent } from '../page-content.ts'
import type { PageNotice } from '../session/next-page.ts'
import type { CeremonyPlace } from '../sign-in/passkeys.ts'

/** The groups of links in the navigation, in this order. */
export const linkGroups = ['Leads', 'Site', 'Setup', 'Box', 'You'] as const

export interface PageCall {
  request: Request
  caller: UserCaller
  address: string
  secure: boolean
  /** Host name and origin as the browser knows them. */
  place: CeremonyPlace
  url: URL
  params: Readonly<Record<string, string>>
  locale: Locale
  /** Fields of the form that was sent; for GET, of one that waited for its sender's proof. Empty for a form with files, which its act reads itself. */
  fields: ReadonlyMap<string, string>
  /** What the form did that led to this page. */
  notice: PageNotice | null
  /** Why the form was refused; `null`: it was not. */
  refusal: OperatorError | null
  /** Of the answer to a form that waits for this page; `null`: none. */
  answerId: string | null
}

export interface AccountPageCall extends PageCall {
  account: StoredAccount
  view: 'whole' | 'masked'
}

interface Noted<C> {
  action: ActName
  /** The object of the act, looked up before the act runs; absent: only the result names it. */
  subject?(call: C, box: ConsoleBox): string | Promise<string>
}

/** The result of an act, for the sender of the form and for the audit log. */
export interface Acted extends NotedResult {
  /** Absent: the page again, by GET. */
  answer?: PageContent | Response
  /** What it did, for the page to which the answer leads. */
  notice?: PageNotice | string
}

/** What one form of a page does. It refuses by throwing an `OperatorError`. */
export interface PageAct<C extends PageCall> {
  /** Absent: the act changes nothing that belongs in the audit log. */
  noted?: Noted<C>
  /** The user must have confirmed their identity within the last ten minutes. */
  asksAgain?: true
  /** The permission in the page's account that the act declares; checked beside that of the page's forms. */
  needs?: Requirement
  run(call: C, box: ConsoleBox): Promise<Acted | undefined>
}

export interface Forms<C extends PageCall> {
  /** The act that a form asks for; `null`: the page has no such act. */
  chosen(call: C): PageAct<C> | null
  /** What an act's refusal shows; absent or `null`: the page, with the reason at the field that is to blame or above everything. */
  refused?(call: C, box: ConsoleBox, why: OperatorError): Promise<PageContent | Response> | null
  /** The limit of the forms' bodies; absent: `formBytesMax` of requests.ts. */
  bytesMax?: number
  /** One of the forms brings files, which its act reads as they arrive. */
  takesFiles?: true
}

interface PageParts<C extends PageCall> {
  /** The browser requests this page by itself, so a request does not count as use of the session. */
  asksByItself?: true
  /** With `:names`; account pages begin with `/a/:account`. */
  path: string
  /** The page's link in the navigation; absent: only other pages link here. */
  link?: Omit<NavigationLink, 'href'> & { group: (typeof linkGroups)[number] }
  /** The path of the page whose link is the current one; absent: the nearest above this one that has a link. */
  within?: string
  /** To see the page or send its forms, the user must have confirmed their identity within the last ten minutes. */
  asksAgain?: true
  /** Absent: the audit log does not record who looks at the page. */
  noted?: Noted<C>
  show(call: C, box: ConsoleBox): Promise<PageContent | Response>
}

export interface AccountPage extends PageParts<AccountPageCall>, Requirement {
  /** Only owners of the box may see the page, although it concerns an account. */
  ownersOnly?: true
  /** The page's forms, with the permission that their sender needs. It is checked before the form is read. */
  forms?: Forms<AccountPageCall> & Requirement
}

export interface BoxPage extends PageParts<PageCall> {
  /** `owner`: users who own the box; `signed_in`: every user. */
  for: 'owner' | 'signed_in'
  forms?: Forms<PageCall>
}

export type Page = AccountPage | BoxPage

/** The parts of a page that answering needs, whatever its kind. */
export type AnyPage<C extends PageCall> = PageParts<C> & { forms?: Forms<C> }

/** Chooses by the value of one field. @param acts by value; `''`: the field is absent or empty */
export const actsBy =
  <C extends PageCall>(field: string, acts: Readonly<Record<string, PageAct<C>>>): Forms<C>['chosen'] =>
  ({ fields }) => {
    const name = fields.get(field) ?? ''
    return Object.hasOwn(acts, name) ? (acts[name] ?? null) : null
  }

export const isUser = (caller: Caller): caller is UserCaller => caller.kind === 'user'

export const may = ({ account, caller }: Pick<AccountPageCall, 'account' | 'caller'>, right: Right): boolean =>
  permissionOn(account.id, caller, { scope: scopeOf(right), right }) === 'whole'
