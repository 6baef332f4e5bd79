import { html, type Markup } from '../../../lib/html.ts'
import { isThisMachine } from '../../../lib/ip.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { type AccountRole, accountRoles } from '../../access/caller.ts'
import { copyButton, described, type FieldFault, faultLine, focusIf, keepButtons, option } from '../../look/fields.ts'
import { asking, confirming, doneNote, mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { Invitation, Invited } from '../../user/user.ts'
import type { PageCall } from '../page.ts'
import { boxTime } from '../values.ts'

/** What was typed into a form before its sender confirmed who they are. */
export type Typed = PageCall['fields']

/** What was typed is done. */
export const again = <C extends PageCall>(call: C): C => ({ ...call, fields: new Map() })

export const inviting = 'Invite a user'

/** Whether the page is its form, without the list: it was asked for, or is not done. */
export const isInviting = ({ url, fields }: Pick<PageCall, 'url' | 'fields'>): boolean =>
  url.searchParams.has('new') || fields.has('email')

/** From the least to the most. */
export const roles = accountRoles.toReversed()

export const roleWords: Record<AccountRole | 'owner', string> = {
  client: 'sees the report, and leads without personal fields',
  viewer: 'sees and exports everything in the account, and changes nothing',
  sales: 'sees everything in the account, works on leads and may remove them',
  editor: 'publishes, and works on leads, but removes none',
  admin: 'does everything in the account, and manages its users',
  owner: 'does everything in every account, and runs the box',
}

/** The least is chosen unless another was typed. */
export const roleChoices = (offered: readonly (AccountRole | 'owner')[], typed: Typed): Markup =>
  html`<fieldset class="roles"><legend>Role</legend>${offered.map((role) => roleChoice(role, typed.get('role') ?? 'client'))}</fieldset>`

const roleChoice = (role: AccountRole | 'owner', chosen: string): Markup =>
  html`<label class="choice"><input type="radio" name="role" value="${role}" required${role === chosen ? html` checked` : null}> <span><strong>${role}</strong> <span class="soft">${roleWords[role]}</span></span></label>`

/** @throws OperatorError */
export function roleIn(fields: PageCall['fields']): AccountRole {
  const role = accountRoles.find((name) => name === fields.get('role'))
  if (role === undefined) throw new OperatorError('Choose a role.')
  return role
}

export const emailField = (typed: Typed, fault: FieldFault | null): Markup =>
  html`<label for="email">Email address</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="off" value="${typed.get('email') ?? ''}"${focusIf(fault === null)}${described('email', fault)}>${faultLine('email', fault)}`

/** Of a form that makes an invitation. */
export const inviteButton = html`<p class="do"><button>Make invitation link</button></p><p class="hint">You get a link to send. It works once, within 24 hours.</p>`

export const linkNote = ({ href, hostname }: URL): Markup =>
  doneNote(
    html`<p>Send them this link. It works once, for 24 hours, and is not shown again.</p><p><code class="wrap" id="link">${href}</code> ${copyButton('link', 'the link')}</p>${keepButtons({ id: 'link', file: 'invitation.txt' })}${isThisMachine(hostname.replace(/^\[|\]$/g, '')) ? onlyHere : null}`,
  )

const onlyHere = html`<p>It opens only on this machine, or through an SSH tunnel to it. For everybody else, set <code>[console] host</code> in <code>capture.toml</code>.</p>`

interface InvitationList {
  /** What an invitation gives, in words. */
  accessOf(invited: Invited): string
  /** What the form of the page sends for an invitation of that kind. */
  fieldsOf(invited: Invited): Readonly<Record<string, string>>
}

export const invitationList = (open: readonly Invitation[], list: InvitationList): Markup | null =>
  open.length === 0
    ? null
    : html`<h2>Open invitations</h2>${table('Open invitations', invitationColumns(list), open, { isEven: true })}`

const invitationColumns = ({ accessOf, fieldsOf }: InvitationList): TableColumn<Invitation>[] => [
  { head: 'Invited', kind: 'wrap', cell: ({ email }) => email },
  { head: 'Role', cell: ({ invited }) => accessOf(invited) },
  { head: 'Link works until', label: true, cell: ({ expiresAt }) => boxTime(expiresAt) },
  {
    head: 'Acts',
    isUnseen: true,
    kind: 'end',
    cell: ({ email, invited }) =>
      html`<form method="post">${Object.entries(fieldsOf(invited)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="quiet" name="email" value="${email}">New link<span class="unseen"> for ${email}</span></button></form><form method="post"><button class="quiet ends" name="withdraw" value="${email}">Withdraw<span class="unseen"> the invitation of ${email}</span></button></form>`,
  },
]

/** A user in a list, who may be its reader. */
export const userName = ({ id, email }: { id: string; email: string }, ownId: string): Markup =>
  html`${email}${id === ownId ? html` ${mark('you')}` : null}`

interface RoleInAccount {
  id: string
  email: string
  /** The account in which they have it. */
  handle: string
  name: string
  role: AccountRole
}

/** The form that gives another role, on the account's page or, `isOfBox`, in the list of all users, of whom some have several. */
export const roleForm = (
  { id, email, handle, name, role }: RoleInAccount,
  { chosen, isOfBox = false, isOne = true }: { chosen?: string | undefined; isOfBox?: boolean; isOne?: boolean },
): Markup =>
  asking(
    isOne ? 'Change role' : `Change role in ${name}`,
    `of ${email}${isOne ? ` in ${name}` : ''}`,
    html`<form method="post" class="beside"${isOfBox ? html` action="/a/${handle}/users"` : null}>${isOfBox ? html`<input type="hidden" name="from" value="users">` : null}<select name="role" aria-label="Role of ${email} in ${name}">${roles.map((each) => option(each, chosen ?? role))}</select> <button name="change" value="${id}">Give this role<span class="unseen"> to ${email}</span></button></form>`,
    { isOpen: chosen !== undefined },
  )

/** Nobody removes themselves by mistake. */
export const removal = ({ id, email }: { id: string; email: string }, ownId: string, follows: string): Markup | null =>
  id === ownId
    ? null
    : confirming('Remove', email, {
        follows,
        button: html`<button class="danger" name="remove" value="${id}">Remove ${email}</button>`,
      })
