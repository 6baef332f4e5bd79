import type { AccountSummary } from '../../../account/account-store.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { accountNames, type NameOf } from '../../../operations/account/account-names.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, faultLine, option } from '../../look/fields.ts'
import { doneNote, mainWay } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { endedSentences } from '../../token/token-json.ts'
import { invitedText, type UserJson, userJson } from '../../user/user.ts'
import { inviteUser, removeUser, signUserOut, type WantedInvitation } from '../../user/user-acts.ts'
import { actForm, FormRefusal, fieldFault } from '../act-form.ts'
import { csvLink } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { agoTime } from '../values.ts'
import {
  again,
  emailField,
  invitationList,
  inviteButton,
  inviting,
  isInviting,
  linkNote,
  removal,
  roleChoices,
  roleForm,
  roleIn,
  roles,
  userName,
} from './invitations.ts'

const endSessions = actForm(signUserOut, {
  input: ({ fields }) => ({ user: fields.get('end-sessions') ?? '' }),
  shown: ({ subject: email }) => ({ notice: `Ended the sessions of ${email}.` }),
})

const remove = actForm(removeUser, {
  input: ({ fields }) => ({ user: named(fields) ?? '' }),
  async shown({ answer: { email, ended }, user }, call, box) {
    if (user === null || ended === undefined) return { notice: 'The invitation is withdrawn.' }
    if (user.id === call.caller.userId) return { answer: seeOther('/sign-in') }
    const words = endedSentences(ended)
    if (words.length === 0) return { notice: 'The user is removed.' }
    return { answer: await content(again(call), box, doneNote(`${email} is removed. ${words.join(' ')}`)) }
  },
})

/** The id of a user who is to go, or the address of somebody who was invited. */
const named = (fields: PageCall['fields']) => fields.get('remove') ?? fields.get('withdraw')

const invite = actForm(inviteUser, {
  input: ({ fields }) => invitationIn(fields),
  typed: 'email',
  shown: async ({ path }, call, box) => ({
    answer: await content(again(call), box, linkNote(new URL(path, call.place.origin))),
  }),
})

/** `/users`: who may sign in or is invited, and forms to invite, to withdraw, to end sessions and to remove. */
export const usersPage: BoxPage = {
  path: '/users',
  link: { group: 'Box', text: 'Users', icon: 'people' },
  for: 'owner',
  show: (call, box) => content(call, box, null),
  forms: {
    chosen({ fields }) {
      if (fields.has('end-sessions')) return endSessions
      return named(fields) === undefined ? invite : remove
    },
  },
}

/** @param call with what was typed into an invitation that was refused, or whose sender had to confirm who they are */
async function content(call: PageCall, box: ConsoleBox, note: Markup | null): Promise<PageContent> {
  const accounts = await box.accounts.list()
  const { handleById, nameById, nameOf } = accountNames(accounts)
  const title = 'Users of the box'
  if (isInviting(call))
    return { title: inviting, back: backLink('/users', title), body: inviteForm(accounts, nameOf, call) }
  const users = (await box.users.list()).map((user) => userJson(user, handleById))
  const now = box.clock.now()
  const open = await box.users.openInvitations(now)
  return {
    title,
    body: html`${note}${table('Users', columns(call.caller.userId, now, nameOf), users, { isEven: true })}${invitationList(
      open,
      {
        accessOf: (invited) => invitedText(invited, nameById),
        fieldsOf: (invited) =>
          invited.isOwner ? { role: 'owner' } : { role: invited.role, account: handleById(invited.accountId) ?? '' },
      },
    )}`,
    ways: html`${mainWay('/users?new=1', inviting, { isMain: note === null })} ${csvLink('/users')}`,
  }
}

function invitationIn(fields: PageCall['fields']): WantedInvitation {
  const email = fields.get('email') ?? ''
  const account = fields.get('account') ?? ''
  if (fields.get('role') === 'owner') {
    if (account === '') return { email, owner: true }
    throw new FormRefusal(
      'An owner has access to every account. Choose a role in the account, or no account.',
      422,
      'account',
    )
  }
  const role = roleIn(fields)
  if (account === '') throw new FormRefusal('Choose the account that they get access to.', 422, 'account')
  return { email, account, role }
}

const columns = (ownId: string, now: number, nameOf: NameOf): TableColumn<UserJson>[] => [
  { head: 'User', kind: 'wrap', cell: (user) => userName(user, ownId) },
  {
    head: 'Role',
    cell: ({ owner, roles }) =>
      owner ? 'owner' : html`${roles.map(({ account, role }) => html`<div>${role} of ${nameOf(account)}</div>`)}`,
  },
  {
    head: 'Last sign-in',
    label: true,
    cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : agoTime(Date.parse(lastSignInAt), now)),
  },
  {
    head: 'Acts',
    isUnseen: true,
    kind: 'end',
    cell: (user) =>
      html`${user.id === ownId ? null : endForm(user)}${user.owner ? null : user.roles.map(({ account, role }) => roleForm({ ...user, handle: account, name: nameOf(account), role }, { isOfBox: true, isOne: user.roles.length === 1 }))}${removal(user, ownId, 'Tokens and invitations that this user made end too.')}`,
  },
]

/** One's own are under *Your sign-in*. */
const endForm = ({ id, email }: UserJson): Markup =>
  html`<form method="post"><button class="quiet" name="end-sessions" value="${id}">End sessions<span class="unseen"> of ${email}</span></button></form>`

function inviteForm(accounts: readonly AccountSummary[], nameOf: NameOf, call: PageCall): Markup {
  const { fields: typed } = call
  const fault = fieldFault(call)
  const account = html`<div class="of-email of-account"><label for="account">Account</label><select id="account" name="account"${described('account', fault)}><option value="">Choose…</option>${accounts.map(({ handle }) => option(handle, typed.get('account'), nameOf(handle)))}</select>${faultLine('account', fault)}</div>`
  return html`<form class="sheet" method="post" action="/users?new=1"><div class="of-email">${emailField(typed, fault)}</div>
${roleChoices([...roles, 'owner'], typed)}${account}${inviteButton}</form>`
}
