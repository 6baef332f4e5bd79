import type { StoredAccount } from '../../account/account.ts'
import type { Markup } from '../../lib/html.ts'
import type { OperatorError } from '../../lib/operator-error.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import type { Requirement } from '../access/permission.ts'
import type { AuditAction } from '../audit/audit-action.ts'
import type { NotedResult } from '../audit/noted-act.ts'
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
  /** Fields of a form that was sent; empty for GET, and for a form with files, which its act reads itself. */
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

/** What the audit log says of an act. */
interface Noted<C> {
  action: AuditAction
  /** What it is done to, looked up before it is done; absent: only the result knows. */
  subject?(call: C, box: ConsoleBox): string | Promise<string>
}

/** What an act has led to, for whoever sent the form and for the audit log. */
export interface Acted extends NotedResult {
  answer: PageContent | Response
}

/** What one form of a page does. What it refuses, it throws as an `OperatorError`. */
export interface PageAct<C extends PageCall> {
  /** Absent: it changes nothing that the audit log tells of. */
  noted?: Noted<C>
  /** Needs a proof of who the user is from the last ten minutes. */
  asksAgain?: true
  run(call: C, box: ConsoleBox): Promise<Acted>
}

/** The forms of a page. */
export interface Forms<C extends PageCall> {
  /** Which act a form asks for; `null`: none that the page has. */
  chosen(call: C): PageAct<C> | null
  /** The page as it says why an act was refused; absent: a page of its own says so. */
  refused?(call: C, box: ConsoleBox, why: OperatorError): Promise<PageContent | Response>
  /** What they may send; absent: `formBytesMax` of form-fields.ts. */
  bytesMax?: number
  /** One of them brings files, which its act reads as they arrive. */
  takesFiles?: true
}

interface PageParts<C extends PageCall> {
  /** The browser asks for it without anybody's doing, so that it does not keep a session in use. */
  asksByItself?: true
  /** With `:names`; account pages begin with `/a/:account`. */
  path: string
  /** How the navigation leads here; absent: only links of other pages do. */
  link?: { group: (typeof linkGroups)[number]; text: string }
  /** Looking at it, and its forms, need a proof of who the user is from the last ten minutes. */
  asksAgain?: true
  /** Absent: the audit log tells nothing of who looks at it. */
  noted?: Noted<C>
  show(call: C, box: ConsoleBox): Promise<PageContent | Response>
}

/** A page about one account. */
export interface AccountPage extends PageParts<AccountPageCall>, Requirement {
  of: 'account'
  /** Concerns an account, and yet only owners of the box may see it. */
  ownersOnly?: true
  /** With what they ask of whoever sends one, decided before it is read. */
  forms?: Forms<AccountPageCall> & Requirement
}

/** A page about the whole box, or about the user who looks. */
export interface BoxPage extends PageParts<PageCall> {
  of: 'box'
  /** `owner`: users who own the box; `signed_in`: every user. */
  for: 'owner' | 'signed_in'
  forms?: Forms<PageCall>
}

export type Page = AccountPage | BoxPage

/** Whichever of a page and its kind answering needs. */
export type AnyPage<C extends PageCall> = PageParts<C> & { forms?: Forms<C> }

/** Chooses by the value of one field. @param acts by value; `''`: the field is absent or empty */
export const actsBy =
  <C extends PageCall>(field: string, acts: Readonly<Record<string, PageAct<C>>>): Forms<C>['chosen'] =>
  ({ fields }) => {
    const name = fields.get(field) ?? ''
    return Object.hasOwn(acts, name) ? (acts[name] ?? null) : null
  }

export const isUser = (caller: Caller): caller is UserCaller => caller.kind === 'user'
