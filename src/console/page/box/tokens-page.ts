import { type Scope, scopes } from '../../../account/scope.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { handlesById } from '../../account-names.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyButton, option } from '../../look/fields.ts'
import { doneNote, emptyState, mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { createToken, revokeToken } from '../../token/token-acts.ts'
import { endedSentences, makerNames, type TokenJson, tokenJson } from '../../token/token-json.ts'
import { actForm } from '../act-form.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { boxDay } from '../values.ts'

const revoke = actForm(revokeToken, {
  input: ({ fields }) => ({ token: fields.get('revoke') ?? '' }),
  async shown({ answer, name }, _, box) {
    const words = endedSentences(answer.ended)
    if (words.length === 0) return { notice: 'The token is revoked.' }
    return { answer: await content(box, doneNote(`${name} is revoked. ${words.join(' ')}`)) }
  },
})

const create = actForm(createToken, {
  input({ fields }) {
    const account = fields.get('account')
    if (account === undefined) throw new OperatorError('Choose the account that the token is for.')
    return {
      name: fields.get('name') ?? '',
      ...(account !== '' && { account }),
      scopes: scopes.filter((scope) => fields.has(`scope-${scope}`)),
      expiresInDays: Number(fields.get('days')),
    }
  },
  shown: async ({ answer }, _, box) => ({ answer: await content(box, tokenNote(answer.token)) }),
})

/** `/tokens`: the API tokens of programs, with forms to make and to revoke them. */
export const tokensPage: BoxPage = {
  path: '/tokens',
  link: { group: 'Box', text: 'Tokens' },
  for: 'owner',
  show: ({ fields }, box) => content(box, null, fields),
  forms: { chosen: ({ fields }) => (fields.has('revoke') ? revoke : create) },
}

/** @param typed into the form that makes a token, before its sender confirmed who they are */
async function content(box: ConsoleBox, note: Markup | null, typed: Typed = new Map()): Promise<PageContent> {
  const handleOf = await handlesById(box.accounts)
  const tokens = (await box.tokens.list()).map((stored) => tokenJson(stored, box.clock.now(), handleOf))
  const makerOf = makerNames(tokens, await box.users.list())
  const handles = (await box.accounts.list()).map(({ handle }) => handle)
  return { body: html`${note}${tokensTable(tokens, makerOf)}${createForm(handles, typed)}` }
}

type Typed = PageCall['fields']

const tokenNote = (token: string): Markup =>
  doneNote(
    html`<p>This is the new token. Copy it now: it is not shown again.</p><p><code class="wrap" id="token">${token}</code> ${copyButton('token', 'the token')}</p>`,
  )

type MakerOf = ReturnType<typeof makerNames>

const tokensTable = (tokens: readonly TokenJson[], makerOf: MakerOf): Markup =>
  tokens.length === 0
    ? emptyState('No tokens yet', 'A program needs a token to call the API.')
    : table('Tokens', columns(makerOf), tokens)

const columns = (makerOf: MakerOf): TableColumn<TokenJson>[] => [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'For', cell: ({ account }) => account ?? 'the box' },
  { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
  { head: 'Made by', label: true, cell: (token) => makerOf(token) ?? 'a command' },
  { head: 'State', cell: ({ state }) => mark(state, state === 'usable' ? 'good' : 'plain') },
  { head: 'Expires', label: true, cell: ({ expiresAt }) => boxDay(expiresAt) },
  {
    head: 'Revoke',
    isUnseen: true,
    kind: 'end',
    cell: (token) => (token.state === 'usable' ? revokeForm(token) : null),
  },
]

const revokeForm = ({ id, name }: TokenJson): Markup =>
  html`<details><summary>Revoke<span class="unseen"> ${name}</span></summary><form method="post"><p>Tokens, invitations and links that were made with this token end too.</p><button class="danger" name="revoke" value="${id}">Revoke ${name}</button></form></details>`

const scopeWords: Record<Scope, string> = {
  read: 'reads and exports everything',
  publish: 'publishes, rolls back, signs links',
  release: 'works on leads and quarantine',
  erase: 'removes leads and erases persons',
  admin: 'keys, deliveries, users and domains',
}

const createForm = (handles: readonly string[], typed: Typed): Markup => html`<h2>Make a token</h2>
<form class="sheet" method="post"><div class="fields">
<div><label for="name">Name</label><input id="name" name="name" required maxlength="80" autocomplete="off" value="${typed.get('name') ?? ''}"></div>
<div><label for="account">For</label><select id="account" name="account"><option value="">the box and every account</option>${handles.map((handle) => option(handle, typed.get('account')))}</select></div>
<div><label for="days">Valid for (days)</label><input id="days" name="days" type="number" min="1" max="3650" value="${typed.get('days') ?? '90'}" required></div></div>
<fieldset class="roles"><legend>Scopes</legend>${scopes.map((scope) => html`<label class="choice"><input type="checkbox" name="scope-${scope}" value="1"${typed.has(`scope-${scope}`) ? html` checked` : null}> <span><strong>${scope}</strong> <span class="soft">${scopeWords[scope]}</span></span></label>`)}</fieldset>
<p class="do"><button>Make token</button></p></form>`
