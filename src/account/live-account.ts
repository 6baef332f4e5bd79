import { type IpNetwork, ipNetwork } from '../lib/ip.ts'
import type { AccountSettings, StoredAccount, TrackingKeyRecord } from './account.ts'
import { acceptOf } from './file-type.ts'
import type { Form } from './form.ts'
import { compileOriginAllowlist, type OriginAllowlist } from './origin-allowlist.ts'
import { type RedirectHosts, safeRedirectUrl } from './safe-redirect.ts'

/** A form with every decision made that does not depend on a request. */
export interface LiveForm extends Form {
  botCheckRequired: boolean
  takesFiles: boolean
  /** `redirectUrl` when it passed the safety check, else `null`. */
  safeRedirectUrl: string | null
  /** The part for browsers, as in the runtime configuration. */
  publicJson: string
}

/** An account as requests meet it: compiled once, when it is published, and never changed. */
export interface LiveAccount {
  id: string
  handle: string
  settings: AccountSettings
  originAllowlist: OriginAllowlist
  /** Registered forms by id. */
  forms: ReadonlyMap<string, LiveForm>
  trackingKeys: TrackingKeyRecord[]
  /** From there, nothing is counted. */
  ignored: readonly IpNetwork[]
}

export function compileAccount(stored: StoredAccount): LiveAccount {
  const { id, handle, settings } = stored
  const originAllowlist = compileOriginAllowlist(settings.origins)
  const registered = stored.forms
    .filter((form) => form.registered)
    .map((form) => compileForm(form, settings, { domains: settings.domains, originAllowlist }))
  return {
    id,
    handle,
    settings,
    originAllowlist,
    forms: new Map(registered.map((form) => [form.id, form])),
    trackingKeys: stored.trackingKeys,
    ignored: settings.ignore.map((network) => ipNetwork(network, 'ignore')),
  }
}

function compileForm(form: Form, settings: AccountSettings, hosts: RedirectHosts): LiveForm {
  const botCheckRequired = form.botCheck === 'inherit' ? settings.botCheck.required : form.botCheck === 'on'
  const takesFiles = Object.keys(form.files).length > 0
  return {
    ...form,
    botCheckRequired,
    takesFiles,
    safeRedirectUrl: form.redirectUrl === null ? null : safeRedirectUrl(form.redirectUrl, hosts),
    publicJson: JSON.stringify({
      registered: true,
      honeypotFieldName: form.honeypot ?? undefined,
      botCheckRequired,
      schema: form.schema,
      // The spec names no such key, and most forms have none.
      ...(takesFiles && { files: publicFiles(form) }),
    }),
  }
}

/** With what pages and the script need to judge files by their names before they are sent. */
const publicFiles = ({ files }: Form) =>
  Object.fromEntries(Object.entries(files).map(([name, field]) => [name, { ...field, accept: acceptOf(field.types) }]))
