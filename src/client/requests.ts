import type { Site } from './site.ts'

/** An answer as the script reads it. `status` 0: no answer, or one that the browser hides. */
export type Answer = [status: number, body: AnswerBody, retryAfterSeconds: number]

interface AnswerBody {
  redirectUrl?: string
  error?: { code: string; message: string; [more: string]: unknown }
}

export type Post = (url: string, body: string, headers?: Record<string, string>) => Promise<Answer>

export const noAnswer: Answer = [0, {}, 0]

const postTimeoutMs = 30_000

/** Asks the box. Never rejects; an answer that is not the box's JSON counts as none. */
async function ask(url: string, timeoutMs: number, options?: RequestInit): Promise<Answer> {
  // `AbortSignal.timeout` is too new for many visitors.
  const stop = new AbortController()
  setTimeout(() => stop.abort(), timeoutMs)
  try {
    const response = await fetch(url, { signal: stop.signal, ...options })
    // A proxy may answer `null`, and with a date in Retry-After.
    return [response.status, (await response.json()) ?? {}, +(response.headers.get('Retry-After') as string) || 0]
  } catch {
    return noAnswer
  }
}

/**
 * Posts JSON text to a capture path, with credentials; the browser withholds the identity cookie (`SameSite=Lax`) from
 * pages of another site.
 */
export const post: Post = (url, body, headers) =>
  ask(url, postTimeoutMs, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    credentials: 'include',
    // Lets a request outlive its page. Browsers refuse this for bodies over 64 KiB, which the script never sends.
    keepalive: true,
  })

/** The answer of `GET /_svc/rc` (spec, Runtime configuration), as far as the script reads it. */
export interface RuntimeConfiguration {
  originAuthorised: boolean
  consent: { signalSource: string; blockBeforeOptIn: boolean }
  tracking: { enabled: boolean; autoPageview: boolean }
  botCheck: { provider: string; sitekey: string }
  forms?: Record<string, FormConfiguration | undefined>
}

export interface FormConfiguration {
  registered?: boolean
  honeypotFieldName?: string
  botCheckRequired?: boolean
  schema?: FormSchema
  files?: FileRules
}

/** What each field for files takes. `accept`: the endings of the types, as the attribute has them. */
export type FileRules = Record<string, { types: string[]; accept: string; bytesMax: number; count: number }>

interface FormSchema {
  required?: string[]
  properties?: Record<string, { format?: string } | undefined>
}

/**
 * The configuration that covers this form or, without an id, any; `null`: not available. A failed request is forgotten,
 * so that the next caller asks again.
 */
export type ReadConfiguration = (formId?: string) => Promise<RuntimeConfiguration | null>

/**
 * Asks once for the page's forms, as many as one request takes. For any other form it asks each time; the browser's
 * cache answers within the minute.
 */
export function configurationReader(site: Site, formIds: string[]): ReadConfiguration {
  const formIdsMax = 10
  /** How long a visitor who submits waits for the form's declaration. */
  const timeoutMs = 5_000
  let first: Promise<RuntimeConfiguration | null> | undefined

  const fetchFor = async (ids: string[]): Promise<RuntimeConfiguration | null> => {
    // Without credentials across origins (the default of `fetch`): the endpoint answers `*`.
    const [status, body] = await ask(`${site.origin}/_svc/rc?f=${ids}`, timeoutMs)
    if (status !== 200) {
      first = undefined
      return null
    }
    const configuration = body as RuntimeConfiguration
    // The one reason why nothing arrives from a page that looks right: browsers hide the answer to a refused origin.
    // Does not use `location`, which names a frame's address and not its owner.
    const { origin } = self
    if (!configuration.originAuthorised) {
      site.say(
        origin === 'null'
          ? 'Refused: a file or sandbox has no origin'
          : `Refused: add "${origin}" to origins in site.toml`,
      )
    }
    for (const id in configuration.forms) {
      if (!configuration.forms[id]?.registered) site.say(`Form ${id} is not registered in site.toml`)
    }
    return configuration
  }

  return async (formId) => {
    first ??= fetchFor(formIds.slice(0, formIdsMax))
    const settings = await first
    return settings && formId && !settings.forms?.[formId] ? fetchFor([formId]) : settings
  }
}
