import type { Site } from './site.ts'

/** The answer of `GET /_svc/rc` (spec, Runtime configuration), as far as the script reads it. */
export interface RuntimeConfiguration {
  originAuthorised: boolean
  consent: { signalSource: string; blockBeforeOptIn: boolean }
  tracking: { enabled: boolean; autoPageview: boolean }
  botCheck: { provider: string; sitekey: string }
  forms?: Record<string, FormConfiguration | undefined>
}

export interface FormConfiguration {
  honeypotFieldName?: string
  botCheckRequired?: boolean
  schema?: FormSchema
}

export interface FormSchema {
  required?: string[]
  properties?: Record<string, { format?: string } | undefined>
}

/**
 * The configuration that covers this form or, without an id, any; `null`: it could not be had. A failed question is
 * forgotten, so that whoever needs the answer next asks again.
 */
export type ReadConfiguration = (formId?: string) => Promise<RuntimeConfiguration | null>

const formIdsMax = 10
/** A visitor who submits does not wait longer than this for the form's declaration. */
const timeoutMs = 5_000

/**
 * Asks once for the forms the page has, as many as one question takes. For any other form it asks each time, and the
 * browser's cache answers within the minute.
 */
export function configurationReader(site: Site, formIds: string[]): ReadConfiguration {
  let first: Promise<RuntimeConfiguration | null> | undefined

  const ask = (ids: string[]) =>
    fetchConfiguration(site, ids).catch(() => {
      first = undefined
      return null
    })

  return async (formId) => {
    first ??= ask(formIds.slice(0, formIdsMax))
    const settings = await first
    return settings && formId && !settings.forms?.[formId] ? ask([formId]) : settings
  }
}

async function fetchConfiguration({ origin, say }: Site, formIds: string[]): Promise<RuntimeConfiguration> {
  // Without credentials across origins (the default of `fetch`): the endpoint answers `*`.
  const response = await fetch(`${origin}/_svc/rc?f=${formIds}`, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw response
  const configuration: RuntimeConfiguration = await response.json()
  // The one reason why nothing arrives from a page that looks right: a browser shows a refused origin no answer.
  if (!configuration.originAuthorised) say(`Refused: add "${location.origin}" to origins in site.toml`)
  return configuration
}
