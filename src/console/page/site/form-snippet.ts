import type { Form } from '../../../account/form.ts'
import type { FileField } from '../../../account/visitor-file.ts'
import { capitalised } from '../../../lib/capitalised.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'

/** HTML to paste into a website: the form, with the fields that its schema declares, and the script. @param base of a connected domain */
export function formSnippet({ id, schema, files }: Pick<Form, 'id' | 'schema' | 'files'>, base: string): string {
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
  const label = typeof title === 'string' ? title : capitalised(name.replaceAll(/[_-]/g, ' '))
  const attributes = html` name="${name}"${isRequired ? html` required` : null}`
  if (takes !== undefined)
    return html`  <label>${label} <input type="file"${attributes}${takes.count > 1 ? html` multiple` : null}></label>
`
  return type === 'boolean' || isConsent(name, property)
    ? html`  <label><input type="checkbox"${attributes}${type === 'boolean' ? null : html` value="${consentValue(property)}"`}> ${label}</label>
`
    : html`  <label>${label} ${control(name, property, attributes)}</label>
`
}

const consentNames = /consent|agree|privacy|terms|opt[_-]?in/i
const messageNames = /message|comment|question|enquiry|inquiry|description/i
const emailNames = /^e-?mail/i

/** A text of one value, or any: visitors tick it, and send that value. */
const isConsent = (name: string, { enum: choices, type = 'string' }: JsonObject): boolean =>
  type === 'string' && consentNames.test(name) && (!Array.isArray(choices) || choices.length === 1)

const consentValue = ({ enum: choices }: JsonObject): string =>
  Array.isArray(choices) && choices[0] !== undefined ? textOf(choices[0]) : 'yes'

/** A longer text gets a field of several lines. */
const lineCharactersMax = 200

function control(name: string, { type, format, maxLength, enum: choices }: JsonObject, attributes: Markup): Markup {
  if (Array.isArray(choices))
    return html`<select${attributes}>${choices.map((choice) => html`<option>${textOf(choice)}</option>`)}</select>`
  if (type === 'integer' || type === 'number') return html`<input type="number"${attributes}>`
  if (format === 'email' || (format === undefined && emailNames.test(name)))
    return html`<input type="email"${attributes}>`
  const isLong = typeof maxLength === 'number' ? maxLength > lineCharactersMax : messageNames.test(name)
  return isLong ? html`<textarea${attributes}></textarea>` : html`<input${attributes}>`
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
