import type { Form } from '../../../account/form.ts'
import type { FileField } from '../../../account/visitor-file.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'
import { count } from '../../../lib/quantities.ts'
import { type FormPlaces, formPlaces, type ListedForm, listForms } from '../../../operations/form/forms.ts'
import { overviewDays } from '../../../operations/overview/overview-reader.ts'
import { type RecentCounts, recentCounts } from '../../../operations/overview/recent-counts.ts'
import { pageOf } from '../../api/list.ts'
import { copyField } from '../../look/fields.ts'
import { emptyState, mark } from '../../look/notice.ts'
import { head } from '../../look/shell.ts'
import { type ShownList, shownList } from '../list-page.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { type Fact, factsTable, localTime, statList } from '../values.ts'

/** `/a/ACCOUNT/forms?cursor`: the rules of each form, its HTML to paste, and the test page. */
export const formsPage: AccountPage = {
  path: '/a/:account/forms',
  link: { group: 'Site', text: 'Forms' },
  scope: 'read',
  async show(call, box) {
    const places = await formPlaces(box, call.account.handle)
    const counts = await recentCounts(call.account, box)
    const { body, ways } = await shownList(formsList(places, counts), call, box)
    return { body, ways: ways && html`${testPage(places)} ${ways}` }
  },
}

const formsList = (places: FormPlaces, counts: RecentCounts): ShownList<ListedForm, AccountPageCall> => ({
  title: 'Forms',
  api: '/forms',
  // Each comes with its snippet.
  shownMax: 15,
  async read({ account }, box, asked) {
    const { forms } = await listForms(box, account.handle, () => {})
    return pageOf(forms, asked, { key: ({ id }) => id, texts: ({ id }) => [id] })
  },
  items: (forms, call) =>
    html`<p class="hint">The test page tries every domain and form from your browser. Nothing that it sends is counted; its link works for an hour.</p>${forms.map((form) => section(form, call, { places, leads: counts.leadsOfForm(form.id) }))}`,
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
})

const testPage = ({ testPageUrl }: FormPlaces): Markup =>
  html`<a class="button" href="${testPageUrl}" rel="noopener noreferrer">Open the test page</a>`

interface FormSection {
  places: FormPlaces
  /** Of the last days. */
  leads: number
}

function section(form: ListedForm, { account }: AccountPageCall, { places, leads }: FormSection): Markup {
  const { id, name, registered, lastSubmissionAt } = form
  const { schema = {}, files = {} } = account.forms.find((known) => known.id === id) ?? {}
  const snippet =
    places.base === null
      ? html`<p>Connect a domain first: the script is loaded from it.</p>`
      : snippetField(id, formSnippet({ id, schema, files }, places.base))
  const paste = html`<details${lastSubmissionAt === null ? html` open` : null}><summary>HTML to paste<span class="unseen"> of ${name}</span></summary>${snippet}</details>`
  return html`<section class="form" aria-labelledby="form-${id}">${head(html`<h2 id="form-${id}">${name} <code>${id}</code>${registered ? null : html` ${mark('accepts nothing', 'doubtful')}`}</h2>`, html`<a href="/a/${account.handle}?form=${id}">Its leads</a>`)}
${statList([
  [`Leads in ${overviewDays} days`, count(leads)],
  ['Last submission', lastText(form, account.settings.timezone)],
  ['Robots', protectionText(form)],
])}
${registered ? paste : html`<p class="hint">It accepts nothing until site.toml says <code>registered = true</code>.</p>`}
<details><summary>Rules<span class="unseen"> of ${name}</span></summary><div class="fact-groups">${facts(form).map(factsTable)}</div></details></section>`
}

const rowsMax = 16

const snippetField = (id: string, text: string): Markup =>
  copyField({
    id: `html-${id}`,
    label: 'HTML for your page',
    text,
    rows: Math.min(text.split('\n').length + 1, rowsMax),
  })

/** What keeps robots out. */
function protectionText({ botCheck, honeypot }: ListedForm): string {
  const kept = [botCheck.required ? 'bot check' : null, honeypot === null ? null : 'hidden field']
  return kept.filter((part) => part !== null).join(' and ') || 'nothing keeps them out'
}

/** What the form takes, and what follows. */
const facts = (form: ListedForm): Fact[][] => [
  [
    ['Accepted from', ['the account’s own domains', ...form.origins].join(', ')],
    ['Bot check', form.botCheck.required ? `required (${form.botCheck.provider})` : 'off'],
    ['Hidden field', form.honeypot === null ? 'off' : html`<code>${form.honeypot}</code>, which only robots fill in`],
    ['Consent text', form.consentTextId ?? 'none'],
  ],
  [
    ['After sending', form.redirectUrl ?? 'the script’s thank-you message'],
    ['Confirmation by mail', form.confirm ? 'visitors are asked' : 'off'],
    ['Reply to visitors', replyText(form)],
  ],
]

const replyText = ({ confirm, reply }: ListedForm): string =>
  reply ? (confirm ? 'once they have confirmed' : 'on') : 'off'

const lastText = ({ lastSubmissionAt }: ListedForm, timezone: string): Markup | string =>
  lastSubmissionAt === null ? 'none yet' : localTime(lastSubmissionAt, timezone)

/** A longer text gets a field of several lines. */
const lineCharactersMax = 200

/** HTML to paste into a website: the form, with the fields that its schema declares, and the script. @param base of a connected domain */
function formSnippet({ id, schema, files }: Pick<Form, 'id' | 'schema' | 'files'>, base: string): string {
  const { properties, required } = schema
  const declared = isJsonObject(properties) ? Object.entries(properties) : []
  const others: [string, JsonValue][] = Object.keys(files)
    .filter((name) => !declared.some(([known]) => known === name))
    .map((name) => [name, {}])
  const fields = [...(declared.length > 0 ? declared : Object.entries(usualFields)), ...others]
  const isRequired = (name: string) => (Array.isArray(required) ? required.includes(name) : name === 'email')
  return html`<form data-svc-form="${id}" method="post">
${fields.map(([name, property]) => field(name, { property: isJsonObject(property) ? property : {}, isRequired: isRequired(name), takes: files[name] }))}  <button>Send</button>
</form>
<script src="${base}/_svc/v1.js" defer></script>`.text
}

const usualFields: JsonObject = {
  name: { type: 'string' },
  email: { type: 'string', format: 'email' },
  message: { type: 'string', maxLength: 2000 },
}

interface SnippetField {
  property: JsonObject
  isRequired: boolean
  /** `undefined`: no files. */
  takes: FileField | undefined
}

function field(name: string, { property, isRequired, takes }: SnippetField): Markup {
  const { title, type } = property
  const label =
    typeof title === 'string' ? title : name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, ' ')
  const attributes = html` name="${name}"${isRequired ? html` required` : null}`
  if (takes !== undefined)
    return html`  <label>${label} <input type="file"${attributes}${takes.count > 1 ? html` multiple` : null}></label>
`
  return type === 'boolean'
    ? html`  <label><input type="checkbox"${attributes}> ${label}</label>
`
    : html`  <label>${label} ${control(property, attributes)}</label>
`
}

function control({ type, format, maxLength, enum: choices }: JsonObject, attributes: Markup): Markup {
  if (Array.isArray(choices))
    return html`<select${attributes}>${choices.map((choice) => html`<option>${textOf(choice)}</option>`)}</select>`
  if (type === 'integer' || type === 'number') return html`<input type="number"${attributes}>`
  if (format === 'email') return html`<input type="email"${attributes}>`
  if (typeof maxLength === 'number' && maxLength > lineCharactersMax) return html`<textarea${attributes}></textarea>`
  return html`<input${attributes}>`
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
