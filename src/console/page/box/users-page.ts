import { html, type Markup } from '../../../lib/html.ts'
import { isThisMachine } from '../../../lib/ip.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { timestamp } from '../../../lib/quantities.ts'
import { accountRoles } from '../../access/caller.ts'
import { handlesById } from '../../account-names.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyButton, option } from '../../look/fields.ts'
import { doneNote, sendAgain } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { endedSentences } from '../../token/token-json.ts'
import { type Invitation, invitedText, type UserJson, userJson } from '../../user/user.ts'
import { inviteUser, removeUser, signUserOut, type WantedInvitation } from '../../user/user-acts.ts'
import { actForm } from '../act-form.ts'
import type { BoxPage, PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-http.ts'

const signOut = actForm(signUserOut, {
  input: ({ fields }) => ({ user: fields.get('sign-out') ?? '' }),
  shown: ({ email }) => ({ notice: `Signed ${email} out everywhere.` }),
})

const remove = actForm(removeUser, {
  input: ({ fields }) => ({ user: named(fields) ?? '' }),
  async shown({ answer: { email, ended }, user }, { caller }, box) {
    if (user === null || ended === undefined) return { notice: 'The invitation is withdrawn.' }
    if (user.id === caller.userId) return { answer: seeOther('/sign-in') }
    const words = endedSentences(ended)
    if (words.length === 0) return { notice: 'The user is removed.' }
    return { answer: await content(box, doneNote(`${email} is removed. ${words.join(' ')}`)) }
  },
})

/** The id of a user who is to go, or the address of somebody who was invited. */
const named = (fields: PageCall['fields']) => fields.get('remove') ?? fields.get('withdraw')

const invite = actForm(inviteUser, {
  input: ({ fields }) => invitationIn(fields),
  shown: async ({ path }, { place }, box) => ({ answer: await content(box, linkNote(new URL(path, place.origin))) }),
})

/** `/users`: who may sign in or is invited, and forms to invite, to withdraw, to sign out and to remove. */
export const usersPage: BoxPage = {
  path: '/users',
  link: { group: 'Box', text: 'Users' },
  for: 'owner',
  show: ({ fields }, box) => content(box, null, fields),
  forms: {
    chosen({ fields }) {
      if (fields.has('sign-out')) return signOut
      return named(fields) === undefined ? invite : remove
    },
  },
}

/** @param typed into the form that invites, before its sender confirmed who they are */
async function content(box: ConsoleBox, note: Markup | null, typed: Typed = new Map()): Promise<PageContent> {
  const handleOf = await handlesById(box.accounts)
  const users = (await box.users.list()).map((user) => userJson(user, handleOf))
  const handles = (await box.accounts.list()).map(({ handle }) => handle)
  const open = await box.users.openInvitations(box.clock.now())
  const invitations =
    open.length === 0
      ? null
      : html`<h2>Open invitations</h2>${table('Open invitations', invitationColumns(handleOf), open)}`
  const body = html`${note}${table('Users', userColumns, users)}${invitations}${inviteForm(handles, typed)}`
  return { body }
}

function invitationIn(fields: PageCall['fields']): WantedInvitation {
  const email = fields.get('email') ?? ''
  const account = fields.get('account') ?? ''
  if (fields.get('role') === 'owner') {
    if (account === '') return { email, owner: true }
    throw new OperatorError(`An owner has access to every account. Choose a role for ${account}, or no account.`)
  }
  const role = accountRoles.find((name) => name === fields.get('role'))
  if (role === undefined) throw new OperatorError('Choose a role.')
  if (account === '') throw new OperatorError('Choose the account that they get access to.')
  return { email, account, role, seesPersonalFields: fields.has('personal') }
}

type Typed = PageCall['fields']

const linkNote = ({ href, hostname }: URL): Markup =>
  doneNote(
    html`<p>Send them this link. It works once, for 24 hours, and is not shown again.</p><p><code class="wrap" id="link">${href}</code> ${copyButton('link', 'the link')}</p>${isThisMachine(hostname.replace(/^\[|\]$/g, '')) ? onlyHere : null}`,
  )

const onlyHere = html`<p>It opens only on this machine, or through an SSH tunnel to it. For everybody else, set <code>[console] host</code> in capture.toml.</p>`

const userColumns: TableColumn<UserJson>[] = [
  { head: 'User', cell: ({ email }) => email },
  {
    head: 'Role',
    cell: ({ owner, roles }) =>
      owner ? 'owner' : roles.map(({ account, role }) => `${role} of ${account}`).join(', '),
  },
  { head: 'Last sign-in', label: true, cell: ({ lastSignInAt }) => lastSignInAt?.slice(0, 10) ?? 'never' },
  {
    head: 'Sign out',
    isUnseen: true,
    cell: ({ id, email }) =>
      html`<form method="post"><button class="quiet" name="sign-out" value="${id}">Sign out<span class="unseen"> ${email} everywhere</span></button></form>`,
  },
  {
    head: 'Remove',
    isUnseen: true,
    cell: ({ id, email }) =>
      html`<details><summary>Remove<span class="unseen"> ${email}</span></summary><form method="post"><p>Tokens and invitations that this user made end too.</p><button class="danger" name="remove" value="${id}">Remove ${email}</button></form></details>`,
  },
]

const invitationColumns = (handleOf: (accountId: string) => string | null): TableColumn<Invitation>[] => [
  { head: 'Invited', cell: ({ email }) => email },
  { head: 'Role', cell: ({ invited }) => invitedText(invited, handleOf) },
  { head: 'Link works until', label: true, cell: ({ expiresAt }) => timestamp(expiresAt) },
  {
    head: 'Withdraw',
    isUnseen: true,
    cell: ({ email }) =>
      html`<form method="post"><button class="quiet" name="withdraw" value="${email}">Withdraw<span class="unseen"> the invitation of ${email}</span></button></form>`,
  },
]

const inviteForm = (handles: readonly string[], typed: Typed): Markup => html`<h2>Invite a user</h2>
${typed.has('email') ? sendAgain : null}<form class="narrow" method="post">
<label for="email">Email address</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="off" value="${typed.get('email') ?? ''}">
<label for="role">Role</label><select id="role" name="role"><option value="owner">owner of the box</option>${accountRoles.map((role) => option(role, typed.get('role')))}</select>
<label for="account">Account</label><select id="account" name="account"><option value="">all accounts, as an owner</option>${handles.map((handle) => option(handle, typed.get('account')))}</select>
<p><label class="inline"><input type="checkbox" name="personal" value="1"${typed.has('personal') ? html` checked` : null}> Show a client the personal fields of submissions</label></p>
<p class="do"><button>Make invitation link</button></p></form>`
