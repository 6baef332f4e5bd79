import { html, type Markup } from '../../../lib/html.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, mainWay } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { endedSentences } from '../../token/token-json.ts'
import { changeRole, inviteColleague, removeColleague } from '../../user/colleague-acts.ts'
import { type Colleague, colleaguesIn, type Invited } from '../../user/user.ts'
import { actForm, fieldFault } from '../act-form.ts'
import { csvLink } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
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
  roleWords,
  userName,
} from './invitations.ts'

const invite = actForm(inviteColleague, {
  input: ({ fields }) => ({ email: fields.get('email') ?? '', role: roleIn(fields) }),
  typed: 'email',
  shown: async ({ path }, call, box) => ({
    answer: await content(again(call), box, linkNote(new URL(path, call.place.origin))),
  }),
})

const change = actForm(changeRole, {
  input: ({ fields }) => ({ user: fields.get('change') ?? '', role: roleIn(fields) }),
  shown: ({ answer: { email, role } }, { account, fields }) => ({
    ...(fields.get('from') === 'users' && { answer: seeOther('/users') }),
    notice: `${email} is ${role} of ${account.settings.name} from now on.`,
  }),
})

const remove = actForm(removeColleague, {
  input: ({ fields }) => ({ user: named(fields) ?? '' }),
  async shown({ answer: { email, ended }, user }, call, box) {
    if (user === null) return { notice: 'The invitation is withdrawn.' }
    if (user.id === call.caller.userId) return { answer: seeOther('/') }
    const words = [
      `${email} has no access to ${call.account.settings.name} any more.`,
      ...(ended ? endedSentences(ended) : []),
    ]
    return { answer: await content(again(call), box, doneNote(words.join(' '))) }
  },
})

/** The id of a user who is to go, or the address of somebody who was invited. */
const named = (fields: AccountPageCall['fields']) => fields.get('remove') ?? fields.get('withdraw')

/** `/a/ACCOUNT/users`: who has access to the account; its admins invite, change roles and remove. */
export const colleaguesPage: AccountPage = {
  path: '/a/:account/users',
  link: { group: 'Setup', text: 'Users', icon: 'people' },
  scope: 'read',
  show: (call, box) => content(call, box, null),
  forms: {
    scope: 'admin',
    chosen({ fields }) {
      if (fields.has('change')) return change
      return named(fields) === undefined ? invite : remove
    },
  },
}

/** @param call with what was typed before its sender confirmed who they are */
async function content(call: AccountPageCall, box: ConsoleBox, note: Markup | null): Promise<PageContent> {
  const { account } = call
  const all = await box.users.list()
  const users = colleaguesIn(all, account.id)
  const isManaged = may(call, 'admin')
  const title = `Users of ${account.settings.name}`
  const path = `/a/${account.handle}/users`
  if (isManaged && isInviting(call)) return { title: inviting, back: backLink(path, title), body: inviteForm(call) }
  const first = isManaged && users.length === 0 ? html`<h2>${inviting}</h2>${inviteForm(call)}` : null
  const list = users.length === 0 ? null : table('Users', columns(call, box.clock.now()), users, { isEven: true })
  const owners = all.filter(({ isOwner }) => isOwner).map(({ email }) => email)
  // Admins of an account do not see who owns the box.
  const above = call.caller.isOwner
    ? html`<p class="hint">Owners of the box, with every account: ${owners.join(', ')}</p>`
    : null
  return {
    title,
    body: html`${note}${first}${list}${isManaged ? html`${above}${await invited(call, box)}` : null}`,
    ways:
      isManaged && users.length > 0
        ? html`${mainWay(`${path}?new=1`, inviting, { isMain: note === null })} ${csvLink(`/accounts/${account.handle}/users`)}`
        : null,
  }
}

function columns(call: AccountPageCall, now: number): TableColumn<Colleague>[] {
  const { account, caller } = call
  const managed = may(call, 'admin')
  const seen: TableColumn<Colleague>[] = [
    { head: 'User', kind: 'wrap', cell: (user) => userName(user, caller.userId) },
    {
      head: 'Role',
      cell: ({ role }) => (managed ? role : html`${role} <span class="hint">${roleWords[role]}</span>`),
    },
  ]
  const managing: TableColumn<Colleague>[] = [
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
        html`${roleForm({ ...user, handle: account.handle, name: account.settings.name }, typedFor(call, user))}${removal(user, caller.userId, 'They keep access to other accounts, if they have any.')}`,
    },
  ]
  return managed ? [...seen, ...managing] : seen
}

const typedFor = ({ fields }: AccountPageCall, { id }: Colleague) =>
  fields.get('change') === id ? { chosen: fields.get('role') } : {}

async function invited({ account }: AccountPageCall, box: ConsoleBox): Promise<Markup | null> {
  const open = (await box.users.openInvitations(box.clock.now())).filter(
    ({ invited }) => !invited.isOwner && invited.accountId === account.id,
  )
  const roleOf = (invited: Invited) => (invited.isOwner ? 'owner' : invited.role)
  return invitationList(open, { accessOf: roleOf, fieldsOf: (invited) => ({ role: roleOf(invited) }) })
}

const inviteForm = (call: AccountPageCall): Markup =>
  html`<form class="sheet" method="post" action="/a/${call.account.handle}/users?new=1"><div class="of-email">${emailField(call.fields, fieldFault(call))}</div>${roleChoices(roles, call.fields)}${inviteButton}</form>`
