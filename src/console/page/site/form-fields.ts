import { fieldLabel } from '../../../account/field-label.ts'
import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'
import { byteSize } from '../../../lib/quantities.ts'

type Declared = Pick<Form, 'schema' | 'files'>

/** The fields that a form declares, each on a line with what its visitors have to enter; `null`: it declares none. */
export function fieldLines(form: Declared): Markup | null {
  const { properties, required } = form.schema
  const inSchema = isJsonObject(properties) ? Object.keys(properties) : []
  const names = [...new Set([...inSchema, ...requiredNames(required), ...Object.keys(form.files)])]
  if (names.length === 0) return null
  return html`${names.map((name) => {
    const rules = rulesOf(name, form)
    return html`<div>${fieldLabel(form, name)}${rules.length === 0 ? null : html`<span class="soft">: ${rules.join(', ')}</span>`}</div>`
  })}`
}

function rulesOf(name: string, { schema: { properties, required }, files }: Declared): string[] {
  const declared = isJsonObject(properties) ? properties[name] : null
  const takes = files[name]
  return [
    requiredNames(required).includes(name) ? 'required' : null,
    takes === undefined ? null : `${anyOf.format(takes.types)}, at most ${byteSize(takes.bytesMax)}`,
    ...(isJsonObject(declared) ? valueRules(declared) : []),
  ].filter((rule) => rule !== null)
}

const requiredNames = (required: JsonValue | undefined): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []

const formats: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  uri: 'must be a web address',
}

/** What the script checks, and the choices of the HTML to paste: other keywords are for the page's own code (docs/forms.md). */
const valueRules = ({ enum: choices, format }: JsonObject): (string | null)[] => [
  Array.isArray(choices) ? choicesText(choices) : null,
  (typeof format === 'string' && formats[format]) || null,
]

const choicesShown = 6

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const choicesText = (choices: readonly JsonValue[]): string =>
  choices.length > choicesShown ? `one of ${choices.length} choices` : anyOf.format(choices.map(textOf))

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
