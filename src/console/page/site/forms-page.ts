import { html, type Markup } from '../../../lib/html.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import { count } from '../../../lib/quantities.ts'
import { parseToml } from '../../../lib/toml/parse.ts'
import { formPlaces, type ListedForm, listForms } from '../../../operations/form/forms.ts'
import { overviewDays } from '../../../operations/overview/overview-reader.ts'
import { recentCounts } from '../../../operations/overview/recent-counts.ts'
import { changedSettings } from '../../../operations/upload/settings-change.ts'
import { pageOf } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { emptyState, mark, notice } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import type { PageContent } from '../../page-content.ts'
import { type ShownList, shownList } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { changeableText, changeForm } from '../site-toml-change.ts'
import { lineOf, settingsAt } from '../site-toml-line.ts'
import { type Fact, factsTable, localTime, statList } from '../values.ts'
import { fieldLines } from './form-fields.ts'
import { formSnippet } from './form-snippet.ts'

/** `/a/ACCOUNT/forms?q&cursor`: what each form brought; an only form is shown at once. */
export const formsPage: AccountPage = {
  path: '/a/:account/forms',
  link: { group: 'Site', text: 'Forms', icon: 'form' },
  scope: 'read',
  async show(call, box) {
    const [only, ...others] = call.account.forms
    if (only !== undefined && others.length === 0) return formContent(call, box, only.id)
    const { testPageUrl } = await formPlaces(box, call.account.handle)
    return shownList({ ...formsList, way: () => testPage(testPageUrl, 'button main') }, call, box)
  },
}

/** `/a/ACCOUNT/forms/FORM`: what the form brought, its HTML to paste, and its rules. */
export const formPage: AccountPage = {
  path: '/a/:account/forms/:form',
  scope: 'read',
  async show(call, box) {
    const back = backLink(`/a/${call.account.handle}/forms`, 'All forms')
    return { back, ...(await formContent(call, box, call.params.form ?? '')) }
  },
}

const formsList: ShownList<ListedForm & { leads: number }, AccountPageCall> = {
  title: 'Forms',
  api: '/forms',
  shownMax: 50,
  async read({ account }, box, asked) {
    const { forms } = await listForms(box, account.handle, () => {})
    const { items, next } = pageOf(forms, asked, { key: ({ id }) => id, texts: ({ id, name }) => [id, name] })
    const { leadsOfForm } = await recentCounts(account, box)
    return { items: items.map((form) => ({ ...form, leads: leadsOfForm(form.id) })), next }
  },
  columns: ({ account: { handle, settings } }) => [
    {
      head: 'Form',
      cell: (form) => html`<a href="/a/${handle}/forms/${form.id}">${form.name}</a> ${stateMark(form)}`,
    },
    { head: 'Id', cell: ({ id }) => html`<code class="hint">${id}</code>` },
    {
      head: `Leads in ${overviewDays} days`,
      kind: 'number',
      label: 'Leads',
      cell: ({ id, leads }) => leadsLink(handle, id, leads),
    },
    {
      head: 'Last submission',
      kind: 'number',
      label: true,
      cell: (form) => lastText(form, settings.timezone),
    },
  ],
  empty: (call) =>
    emptyState(
      'No form yet',
      html`Add one to the end of <code>site.toml</code>. This page then has its HTML to paste.`,
      html`${copyField({
        id: 'first-form',
        label: 'In site.toml',
        text: '[[forms]]\nid = "contact1"\nname = "Contact"',
        rows: 3,
      })}${may(call, 'publish') ? html`<a class="button" href="${settingsAt(call.account.handle, 'end')}">Add in Settings</a>` : null}`,
    ),
  nothing: () => 'No form has this in its name.',
  note: () => 'The test page counts nothing. Its link works for an hour.',
}

const testPage = (url: string, look: 'button' | 'button main'): Markup =>
  html`<a class="${look}" href="${url}" rel="noopener noreferrer">Open the test page</a>`

const stateMark = ({ registered }: ListedForm): Markup =>
  registered ? mark('live', 'good') : mark('closed', 'doubtful')

const leadsLink = (handle: string, form: string, leads: number): Markup =>
  leads === 0 ? html`<span class="soft">0</span>` : html`<a href="/a/${handle}?form=${form}">${count(leads)}</a>`

/** @throws NotThere */
async function formContent(call: AccountPageCall, box: ConsoleBox, id: string) {
  const { handle, settings } = call.account
  const { forms } = await listForms(box, handle, () => {})
  const form = forms.find((known) => known.id === id)
  if (form === undefined) throw new NotThere('There is no such form.')
  const { base, testPageUrl } = await formPlaces(box, handle)
  const { leadsOfForm } = await recentCounts(call.account, box)
  const declared = call.account.forms.find((known) => known.id === id)
  const kept = await changeableText(call, box)
  const isUsed = form.lastSubmissionAt !== null
  const paste = form.registered ? pastePart(call, { id, base, isUsed }) : null
  const tryIt = html`<p class="do">${testPage(testPageUrl, 'button')} <span class="hint">It tries every form from your browser, and counts nothing.</span></p>`
  return {
    title: form.name,
    body: html`${form.registered ? null : closedNote(call, id, kept)}<p class="lead">${form.registered ? stateMark(form) : null} <code>${id}</code></p>${statList(
      [
        [`Leads in ${overviewDays} days`, leadsLink(handle, id, leadsOfForm(id))],
        ['Last submission', lastText(form, settings.timezone)],
      ],
    )}
${form.registered ? tryIt : null}${isUsed ? null : paste}
<h2>Rules</h2>${rulesWay(handle, id, kept)}<div class="card">${factsTable([['Fields', (declared && fieldLines(declared)) ?? 'any'], ...facts(form)])}</div>
${isUsed ? paste : null}`,
  } satisfies PageContent
}

/** @param kept the text that the button changes; `null`: there is none */
function closedNote(call: AccountPageCall, id: string, kept: string | null): Markup {
  const { handle } = call.account
  const change = { change: 'form', value: id } as const
  const reopen =
    kept === null || changedSettings(kept, change) === null
      ? html`<p class="do"><a class="button main" href="${settingsAt(handle, { key: `forms.${id}` })}">Open its entry in Settings</a> <span class="hint">Set <code>registered = true</code> there.</span></p>`
      : changeForm(
          handle,
          change.change,
          html`<p class="do"><button name="value" value="${id}">Reopen</button> <span class="hint">You review the changes first.</span></p>`,
        )
  return notice(
    'doubtful',
    html`<p><strong>This form is closed.</strong> Visitors cannot send it.</p>${may(call, 'publish') ? reopen : null}`,
  )
}

const rowsMax = 24

interface Pasted {
  id: string
  /** `null`: no domain is connected. */
  base: string | null
  /** Whether something has come in through the form. */
  isUsed: boolean
}

/** What to put on a page; folded away once the form is in use. */
const pastePart = (call: AccountPageCall, form: Pasted): Markup =>
  form.isUsed
    ? html`<details class="more"><summary>HTML for your page</summary>${toPaste(call, form)}</details>`
    : toPaste(call, form)

function toPaste({ account }: AccountPageCall, { id, base, isUsed }: Pasted): Markup {
  if (base === null) return html`<p>Connect a domain first: the script is loaded from it.</p>`
  const { schema = {}, files = {} } = account.forms.find((known) => known.id === id) ?? {}
  const text = formSnippet({ id, schema, files }, base)
  const rows = Math.min(text.split('\n').length, rowsMax)
  return copyField({ id: `html-${id}`, label: isUsed ? 'To paste' : 'HTML for your page', text, rows, isMain: !isUsed })
}

/** How to change the rules, for those who may; nothing where the text no longer has the form. */
function rulesWay(handle: string, id: string, kept: string | null): Markup | null {
  const key = `forms.${id}`
  const { table } = parseToml(kept ?? '')
  if (table === null || lineOf(table, key) === null) return null
  return html`<p class="said">These rules are in <code>site.toml</code>: <a href="${settingsAt(handle, { key })}">change them in Settings</a>.</p>`
}

/** What the form takes, and what follows. */
function facts({ origins, botCheck, honeypot, consentTextId, redirectUrl, confirm, reply }: ListedForm): Fact[] {
  const soft = (text: string) => html`<span class="soft">${text}</span>`
  const onOff = (isOn: boolean) => (isOn ? 'on' : soft('off'))
  return [
    ['Accepted from', ['the account’s own domains', ...origins].join(', ')],
    ['Bot check', onOff(botCheck.required)],
    ['Hidden field against bots', onOff(honeypot !== null)],
    [
      'Consent text',
      consentTextId === null ? soft('none') : html`noted with each lead as <code>${consentTextId}</code>`,
    ],
    ['After sending', redirectUrl === null ? 'shows a thank-you message' : `leads to ${redirectUrl}`],
    ['Confirmation by mail', onOff(confirm)],
    ['Reply to visitors', reply && confirm ? 'once they have confirmed' : onOff(reply)],
  ]
}

const lastText = ({ lastSubmissionAt }: ListedForm, timezone: string): Markup =>
  lastSubmissionAt === null ? html`<span class="soft">none yet</span>` : localTime(lastSubmissionAt, timezone)
