import type { Form } from '../account/form.ts'
import { compileOriginAllowlist } from '../account/origin-allowlist.ts'
import { type RedirectHosts, safeRedirectUrl } from '../account/safe-redirect.ts'
import { newShortId } from '../lib/id.ts'
import { checkSchema } from './form-schema.ts'
import { reservedFields } from './honeypot.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenForm } from './site-schema.ts'

/** A form in the folder. */
export type FolderForm = Omit<Form, 'version'>

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
    warnOfMails(form, keys, report)
    checkFiles(form, report)
  }
  report.twins(written, 'id', ({ id }) => id)
  return written.flatMap((form) => folderForm(form, report) ?? [])
}

function folderForm({ value, place }: WrittenForm, report: FolderReport): FolderForm | null {
  const { id } = value
  if (id === null) return report.key(place('id'), `is missing; here is a fresh one to paste: id = "${newShortId()}"`)
  return {
    id,
    name: value.name ?? id,
    registered: value.registered,
    honeypot: value.honeypot,
    botCheck: value.bot_check,
    consentTextId: value.consent_text_id,
    redirectUrl: value.redirect_url,
    schema: { type: 'object', required: [], properties: {}, ...value.schema },
    confirm: value.confirm,
    reply: value.reply,
    files: fileFields(value.files),
  }
}

const fileFields = (written: WrittenForm['value']['files']): Form['files'] =>
  Object.fromEntries(
    Object.entries(written).map(([name, { types, max: bytesMax, count }]) => [name, { types, bytesMax, count }]),
  )

/** What such a field sends is never stored, or counts as a robot's. */
function checkFiles({ value, place }: WrittenForm, report: FolderReport): void {
  for (const name of Object.keys(value.files))
    if (name === value.honeypot || reservedFields.includes(name))
      report.key(place('files'), `"${name}" has a special meaning in a submission; choose another name for the field`)
}

/** No fault: domains and origins may follow later. */
function warnOfRedirect(form: WrittenForm, hosts: RedirectHosts, report: FolderReport): void {
  const { redirect_url: url } = form.value
  if (url === null || safeRedirectUrl(url, hosts) !== null) return
  report.warn(
    'unsafe_redirect',
    form.place('redirect_url'),
    'is left out of answers: it is not an http(s) address whose host is a connected domain or listed in origins',
  )
}

/** No fault: the bot check may be off for a while. */
function warnOfMails({ value, place }: WrittenForm, { isBotCheckRequired }: AccountKeys, report: FolderReport): void {
  if (value.bot_check === 'on' || (value.bot_check === 'inherit' && isBotCheckRequired)) return
  const needed = 'need a form whose bot check is required; set bot_check = "on"'
  if (value.confirm !== null)
    report.warn('no_confirmation', place('confirm'), `nobody gets it: confirmations ${needed}`)
  else if (value.reply !== null) report.warn('no_reply', place('reply'), `nobody gets it: replies ${needed}`)
}
