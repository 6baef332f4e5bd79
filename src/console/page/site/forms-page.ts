import { html, type Markup } from '../../../lib/html.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import { count } from '../../../lib/quantities.ts'
import { formPlaces, type ListedForm, listForms } from '../../../operations/form/forms.ts'
import { overviewDays } from '../../../operations/overview/overview-reader.ts'
import { recentCounts } from '../../../operations/overview/recent-counts.ts'
import { pageOf } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { emptyState, mark } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import type { PageContent } from '../../page-content.ts'
import { type ShownList, shownList } from '../list-page.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { type Fact, factsTable, localTime, statList } from '../values.ts'
import { formSnippet } from './form-snippet.ts'

/** `/a/ACCOUNT/forms?q&cursor`: what each form brought; an only form is shown at once. */
export const formsPage: AccountPage = {
  path: '/a/:account/forms',
  link: { group: 'Site', text: 'Forms' },
  scope: 'read',
  async show(call, box) {
    const [only, ...others] = call.account.forms
    if (only !== undefined && others.length === 0) {
      const { title, body } = await formContent(call, box, only.id)
      return { body: html`<h2>${title}</h2>${body}` }
    }
    const { testPageUrl } = await formPlaces(box, call.account.handle)
    const { body, ways } = await shownList(formsList, call, box)
    return { body, ways: ways && html`${testPage(testPageUrl)} ${ways}` }
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
      cell: (form) =>
        html`<a href="/a/${handle}/forms/${form.id}">${form.name}</a> ${stateMark(form)}<br><code class="hint">${form.id}</code>`,
    },
    {
      head: 'Leads',
      label: true,
      cell: (form) =>
        html`${leadsLink(handle, form.id, form.leads)} ${form.lastSubmissionAt === null ? null : html`<span class="soft">· last ${lastText(form, settings.timezone)}</span>`}`,
    },
    { head: 'Against robots', label: true, cell: protectionText },
  ],
  empty: (call) =>
    emptyState(
      'No form yet',
      html`Add one to <code>site.toml</code>, in your folder or under <a href="/a/${call.account.handle}/settings">Settings</a>. This page then has its HTML to paste.`,
      copyField({
        id: 'first-form',
        label: 'In site.toml',
        text: '[[forms]]\nid = "contact1"\nname = "Contact"',
        rows: 3,
      }),
    ),
  nothing: () => 'No form has this in its name.',
  note: `Leads of the last ${overviewDays} days. The test page tries every form from your browser, and counts nothing.`,
}

const testPage = (url: string): Markup =>
  html`<a class="button" href="${url}" rel="noopener noreferrer">Open the test page</a>`

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
  return {
    title: form.name,
    body: html`<p class="lead">${stateMark(form)} <code>${id}</code></p>${statList([
      [`Leads in ${overviewDays} days`, leadsLink(handle, id, leadsOfForm(id))],
      ['Last submission', lastText(form, settings.timezone)],
      ['Against robots', protectionText(form)],
    ])}
<p>${testPage(testPageUrl)}</p>
${form.registered ? toPaste(call, id, base) : html`<p class="hint">It accepts nothing until site.toml says <code>registered = true</code>.</p>`}
<h2>Rules</h2>${factsTable(facts(form))}`,
  } satisfies PageContent
}

const rowsMax = 8

/** @param base `null`: no domain is connected */
function toPaste({ account }: AccountPageCall, id: string, base: string | null): Markup {
  if (base === null) return html`<p>Connect a domain first: the script is loaded from it.</p>`
  const { schema = {}, files = {} } = account.forms.find((known) => known.id === id) ?? {}
  const text = formSnippet({ id, schema, files }, base)
  const rows = Math.min(text.split('\n').length + 1, rowsMax)
  return html`${copyField({ id: `html-${id}`, label: 'HTML for your page', text, rows })}
<p class="hint">The test page tries every domain and form from your browser. Nothing that it sends is counted; its link works for an hour.</p>`
}

/** What keeps robots out. */
function protectionText({ botCheck, honeypot }: ListedForm): string {
  const kept = [botCheck.required ? 'bot check' : null, honeypot === null ? null : 'hidden field']
  return kept.filter((part) => part !== null).join(' and ') || 'nothing'
}

/** What the form takes, and what follows. */
const facts = (form: ListedForm): Fact[] => [
  ['Accepted from', ['the account’s own domains', ...form.origins].join(', ')],
  ['Bot check', form.botCheck.required ? `on, by ${form.botCheck.provider}` : 'off'],
  [
    'Hidden field',
    form.honeypot === null ? 'off' : html`on: whoever fills in <code>${form.honeypot}</code> is a robot`,
  ],
  [
    'Consent text',
    form.consentTextId === null ? 'none' : html`noted with each lead as <code>${form.consentTextId}</code>`,
  ],
  ['After sending', form.redirectUrl ?? 'the script’s thank-you message'],
  ['Confirmation by mail', form.confirm ? 'visitors are asked' : 'off'],
  ['Reply to visitors', replyText(form)],
]

const replyText = ({ confirm, reply }: ListedForm): string =>
  reply ? (confirm ? 'once they have confirmed' : 'on') : 'off'

const lastText = ({ lastSubmissionAt }: ListedForm, timezone: string): Markup | string =>
  lastSubmissionAt === null ? 'none yet' : localTime(lastSubmissionAt, timezone)
