import type { AccountSummary } from '../../../account/account-store.ts'
import { scopes } from '../../../account/scope.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { accountNames, type NameOf } from '../../../operations/account/account-names.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyButton, described, faultLine, focusIf, option } from '../../look/fields.ts'
import { confirming, doneNote, mainWay, mark } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { tokenLifeMsMax } from '../../token/api-token.ts'
import { createToken, revokeToken } from '../../token/token-acts.ts'
import { endedSentences, makerNames, scopeWords, type TokenJson, tokenJson } from '../../token/token-json.ts'
import { actForm, FormRefusal, fieldFault } from '../act-form.ts'
import { csvLink } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { again } from '../user/invitations.ts'
import { agoTime, boxDay } from '../values.ts'

const revoke = actForm(revokeToken, {
  input: ({ fields }) => ({ token: fields.get('revoke') ?? '' }),
  async shown({ answer, name }, call, box) {
    const words = endedSentences(answer.ended)
    if (words.length === 0) return { notice: 'The token is revoked.' }
    return { answer: await content(again(call), box, doneNote(`${name} is revoked. ${words.join(' ')}`)) }
  },
})

/** No handle is like it. */
const everyAccount = '*'
const daysMax = tokenLifeMsMax / 86_400_000

const create = actForm(createToken, {
  input({ fields }) {
    const account = fields.get('account') ?? ''
    if (account === '') throw new FormRefusal('Choose the account that the token is for.', 422, 'account')
    const name = fields.get('name')?.trim() ?? ''
    if (name === '') throw new FormRefusal('Type a name, so that you recognise the token later.', 422, 'name')
    const expiresInDays = Number(fields.get('days'))
    if (!(Number.isInteger(expiresInDays) && expiresInDays > 0 && expiresInDays <= daysMax))
      throw new FormRefusal(`Type a number of days from 1 to ${daysMax}.`, 422, 'days')
    const chosen = scopes.filter((scope) => fields.has(`scope-${scope}`))
    if (chosen.length === 0) throw new FormRefusal('Choose at least one.', 422, 'scopes')
    return { name, ...(account !== everyAccount && { account }), scopes: chosen, expiresInDays }
  },
  shown: async ({ answer, change }, call, box) => ({
    answer: await content(again(call), box, tokenNote(change.after.name, answer.token)),
  }),
})

/** `/tokens`: the API tokens of programs, with forms to make and to revoke them. */
export const tokensPage: BoxPage = {
  path: '/tokens',
  link: { group: 'Box', text: 'Tokens', icon: 'key' },
  for: 'owner',
  show: (call, box) => content(call, box, null),
  forms: {
    chosen: ({ fields }) => (fields.has('revoke') ? revoke : create),
  },
}

const making = 'Make a token'

/** @param call with what was typed for a token that was refused, or whose maker had to confirm who they are */
async function content(call: PageCall, box: ConsoleBox, note: Markup | null): Promise<PageContent> {
  const now = box.clock.now()
  const accounts = await box.accounts.list()
  const { handleById, nameOf } = accountNames(accounts)
  const tokens = (await box.tokens.list()).map((stored) => tokenJson(stored, now, handleById))
  const makerOf = makerNames(tokens, await box.users.list())
  const about = html`<p class="said">A program needs a token to call the API. Give it no more than it needs.</p>`
  const form = html`${about}${createForm(accounts, nameOf, call)}`
  if (tokens.length === 0) return { body: html`${note}${form}` }
  if (call.url.searchParams.has('new') || call.fields.has('name'))
    return { title: making, back: backLink('/tokens', 'Tokens'), body: form }
  return {
    body: html`${note ?? about}${table('Tokens', columns({ makerOf, nameOf, now }), tokens)}`,
    ways: html`${mainWay('/tokens?new=1', making, { isMain: note === null })} ${csvLink('/tokens')}`,
  }
}

const tokenNote = (name: string, token: string): Markup =>
  doneNote(
    html`<p>This is <strong>${name}</strong>. Copy it now: it is not shown again.</p><p><code class="wrap" id="token">${token}</code> ${copyButton('token', 'the token')}</p>`,
  )

interface Known {
  makerOf: ReturnType<typeof makerNames>
  nameOf: NameOf
  now: number
}

const columns = ({ makerOf, nameOf, now }: Known): TableColumn<TokenJson>[] => [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Account', label: true, cell: ({ account }) => (account === null ? 'every account' : nameOf(account)) },
  {
    head: 'Can',
    label: true,
    kind: 'wrap',
    cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope]).join(', '),
  },
  {
    head: 'Last used',
    label: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : agoTime(Date.parse(lastUsedAt), now)),
  },
  { head: 'Made by', label: true, cell: (token) => makerOf(token) ?? 'a command' },
  {
    head: 'Valid until',
    label: true,
    cell: ({ state, expiresAt }) => (state === 'usable' ? boxDay(expiresAt) : mark(state)),
  },
  {
    head: 'Revoke',
    isUnseen: true,
    kind: 'end',
    cell: (token) => (token.state === 'usable' ? revokeForm(token) : null),
  },
]

const revokeForm = ({ id, name }: TokenJson): Markup =>
  confirming('Revoke', name, {
    follows: `Programs that use ${name} stop working at once. Tokens, invitations and links made with it end too.`,
    button: html`<button class="danger" name="revoke" value="${id}">Revoke ${name}</button>`,
  })

function createForm(accounts: readonly AccountSummary[], nameOf: NameOf, call: PageCall): Markup {
  const { fields: typed } = call
  const fault = fieldFault(call)
  return html`<form class="sheet" method="post" action="/tokens?new=1" novalidate><div class="fields">
<div><label for="name">Name</label><input id="name" name="name" required maxlength="80" autocomplete="off" value="${typed.get('name') ?? ''}"${focusIf(fault === null)}${described('name', fault)}>${faultLine('name', fault)}</div>
<div><label for="account">Account</label><select id="account" name="account" required${described('account', fault)}><option value="">Choose…</option>${accounts.map(({ handle }) => option(handle, typed.get('account'), nameOf(handle)))}${option(everyAccount, typed.get('account'), 'the box and every account')}</select>${faultLine('account', fault)}</div>
<div><label for="days">Valid for (days)</label><input id="days" name="days" type="number" min="1" max="${daysMax}" value="${typed.get('days') ?? '90'}" required${described('days', fault)}>${faultLine('days', fault)}</div></div>
<fieldset class="roles"><legend>The token can</legend>${scopes.map((scope) => html`<label class="choice"><input type="checkbox" name="scope-${scope}" value="1"${typed.has(`scope-${scope}`) ? html` checked` : null}${described('scopes', fault)}> <span>${scopeWords[scope]} <code class="soft">${scope}</code></span></label>`)}</fieldset>${faultLine('scopes', fault)}
<p class="do"><button>Make token</button></p><p class="hint">The token is shown once, right after.</p></form>`
}
