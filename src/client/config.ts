import type { Site } from './site.ts'

/** The answer of `GET /_svc/rc` (spec, Runtime configuration), as far as the script reads it. */
export interface RuntimeConfiguration {
  originAuthorised: boolean
  consent: { signalSource: string; blockBeforeOptIn: boolean }
  tracking: { enabled: boolean; autoPageview: boolean }
  forms: Record<string, FormConfiguration | undefined>
}

export interface FormConfiguration {
  honeypotFieldName?: string
  schema?: FormSchema
}

export interface FormSchema {
  required?: string[]
  properties?: Record<string, { format?: string } | undefined>
}

/**
 * The configuration that covers this form or, without an id, any; `null`: it could not be had. Each thing is asked
 * once; a failed question is forgotten, so that whoever needs the answer next asks again.
 */
export type ReadConfiguration = (formId?: string) => Promise<RuntimeConfiguration | null>

const formIdsMax = 10
/** A visitor who submits does not wait longer than this for the form's declaration. */
const timeoutMs = 5_000

/** Asks at once for the forms the page has, and later for what turns up. */
export function configurationReader(site: Site, formIds: string[]): ReadConfiguration {
  // Keyed by form id; '' stands for no form. Bounded by the forms of the page.
  const asked = new Map<string, Promise<RuntimeConfiguration | null>>()

  function ask(ids: string[]): Promise<RuntimeConfiguration | null> {
    const answer = fetchConfiguration(site, ids).catch(() => {
      asked.clear()
      return null
    })
    for (const id of ['', ...ids]) asked.set(id, answer)
    return answer
  }

  for (let from = 0; from < formIds.length; from += formIdsMax) ask(formIds.slice(from, from + formIdsMax))
  return (formId = '') => asked.get(formId) ?? ask(formId ? [formId] : [])
}

async function fetchConfiguration({ origin, say }: Site, formIds: string[]): Promise<RuntimeConfiguration> {
  // Without credentials across origins (the default of `fetch`): the endpoint answers `*`.
  const response = await fetch(origin + '/_svc/rc' + (formIds.length ? '?f=' + formIds : ''), {
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw response
  const configuration: RuntimeConfiguration = await response.json()
  // The one reason why nothing arrives from a page that looks right: a browser shows a refused origin no answer.
  if (!configuration.originAuthorised) say(`Refused: add "${location.origin}" to origins in site.toml`)
  return configuration
}
