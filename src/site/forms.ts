import type { Form } from '../account/form.ts'
import { compileOriginAllowlist } from '../account/origin-allowlist.ts'
import { type RedirectHosts, safeRedirectUrl } from '../account/safe-redirect.ts'
import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { reservedFields } from './honeypot.ts'
import { schemaCharactersMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenForm } from './site-schema.ts'

/** A form in the folder. `id: null`: `apply` recognises the form by its name or generates an id. */
export type FolderForm = Omit<Form, 'id' | 'version'> & { id: string | null }

interface AccountKeys {
  domains: string[]
  origins: string[]
  /** Of the forms that inherit it. */
  isBotCheckRequired: boolean
}

export function folderForms(written: WrittenForm[], keys: AccountKeys, report: FolderReport): FolderForm[] {
  const hosts = { domains: keys.domains, originAllowlist: compileOriginAllowlist(keys.origins) }
  for (const form of written) {
    checkSchema(form, report)
    warnOfRedirect(form, hosts, report)
    warnOfReply(form, keys, report)
  }
  report.twins(written, 'id', ({ id }) => id)
  uniqueNames(written, report)
  return written.map((form) => folderForm(form))
}

function folderForm({ value }: WrittenForm): FolderForm {
  return {
    id: value.id,
    name: nameOf(value),
    registered: value.registered,
    honeypot: value.honeypot,
    botCheck: value.bot_check,
    consentTextId: value.consent_text_id,
    redirectUrl: value.redirect_url,
    schema: { type: 'object', required: [], properties: {}, ...value.schema },
    reply: value.reply,
  }
}

/** The name defaults to the id. */
const nameOf = (form: WrittenForm['value']): string => form.name ?? form.id ?? ''

/** A form without an id is recognised by its name, which must therefore be unique. */
function uniqueNames(written: WrittenForm[], report: FolderReport): void {
  const counts = new Map<string, number>()
  for (const { value } of written) counts.set(nameOf(value), (counts.get(nameOf(value)) ?? 0) + 1)
  for (const form of written) {
    if (form.value.id !== null) continue
    const name = nameOf(form.value)
    if (name === '') report.key(form, 'a form needs an id or a name')
    else if ((counts.get(name) ?? 0) > 1)
      report.key(form.place('name'), `"${name}" is also the name of another form; give this one an id`)
  }
}

/** Checks what the client script and exports rely on: an object with a list of required names and a table of properties. */
function checkSchema(form: WrittenForm, report: FolderReport): void {
  const { schema, honeypot } = form.value
  const place = form.place('schema')
  const fault = (key: string, message: string): null =>
    report.key({ key: `${place.key}.${key}`, line: place.line }, message)
  const { type = 'object', required = [], properties = {} } = schema
  if (type !== 'object') fault('type', 'expected "object": a submission is one')
  if (!isListOfNames(required)) fault('required', 'expected a list of field names')
  if (!isTableOfTables(properties)) return void fault('properties', 'expected a table with a table for each field')
  if (JSON.stringify(schema).length > schemaCharactersMax)
    report.key(place, `longer than ${schemaCharactersMax} characters as JSON`)
  if (honeypot !== null && Object.hasOwn(properties, honeypot)) {
    fault(
      `properties.${honeypot}`,
      'is the honeypot: whoever fills it in is refused; take another name for one of them',
    )
  }
  for (const name of reservedFields.filter((name) => name !== 'email' && Object.hasOwn(properties, name))) {
    report.warn(
      { key: `${place.key}.properties.${name}`, line: place.line },
      'what a visitor sends under this name is never stored',
    )
  }
}

const isListOfNames = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const isTableOfTables = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && Object.values(value).every(isJsonObject)

/** No fault: domains and origins may follow later. */
function warnOfRedirect(form: WrittenForm, hosts: RedirectHosts, report: FolderReport): void {
  const { redirect_url: url } = form.value
  if (url === null || safeRedirectUrl(url, hosts) !== null) return
  report.warn(
    form.place('redirect_url'),
    'is left out of answers: it is not an http(s) address whose host is a connected domain or listed in origins',
  )
}

/** No fault: the bot check may be off for a while. */
function warnOfReply({ value, place }: WrittenForm, { isBotCheckRequired }: AccountKeys, report: FolderReport): void {
  if (value.reply === null || value.bot_check === 'on') return
  if (value.bot_check === 'inherit' && isBotCheckRequired) return
  report.warn(place('reply'), 'nobody gets it: replies need a form whose bot check is required; set bot_check = "on"')
}
