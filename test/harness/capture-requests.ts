import { trackingKeyOf } from './a-site.ts'
import type { Answer, Sent } from './http.ts'
import { jsonOf } from './http.ts'

/** What a test says otherwise than a valid request does. `headers`: `null` leaves one out. */
export interface Overrides {
  account?: string
  method?: string
  host?: string
  path?: string
  headers?: Record<string, string | null>
  /** Sent as it is, in place of the JSON. */
  body?: Sent['body']
}

/** A valid submission of `contact1` from the account's own website. */
export function formRequest(overrides: Overrides & { form?: string; fields?: Record<string, unknown> } = {}): Sent {
  const { account = 'acme', form = 'contact1', fields = { email: 'ada@example.test' } } = overrides
  return request({ path: `/_svc/f/${form}`, body: JSON.stringify(fields), headers: {} }, { account, ...overrides })
}

/** A valid batch of one event from the account's own website, with consent. */
export function eventRequest(overrides: Overrides & { events?: unknown } = {}): Sent {
  const { account = 'acme', events = [{ event: 'plan_chosen' }] } = overrides
  const headers = { 'x-svc-site-key': trackingKeyOf(account), 'x-svc-consent': 'granted' }
  return request({ path: '/_svc/e', body: JSON.stringify({ events }), headers }, { account, ...overrides })
}

interface Valid {
  path: string
  body: string
  headers: Record<string, string>
}

function request(valid: Valid, overrides: Overrides & { account: string }): Sent {
  const { account, method = 'POST', host = `go.${account}.test`, path = valid.path, body = valid.body } = overrides
  const usual = { origin: `https://www.${account}.test`, 'content-type': 'application/json', ...valid.headers }
  const wanted = Object.entries({ ...usual, ...overrides.headers })
  const headers = Object.fromEntries(wanted.filter((header): header is [string, string] => header[1] !== null))
  return { method, host, path, headers, body }
}

/** The preflight that a browser sends before the request. */
export const preflightOf = ({ host, path }: Sent, origin: string | null): Sent => ({
  method: 'OPTIONS',
  host,
  path,
  headers: {
    ...(origin === null ? {} : { origin }),
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  },
  body: null,
})

/** The id of an accepted submission; fails with the answer when it was not accepted. */
export function submissionIdOf(answer: Answer): string {
  const { submissionId } = jsonOf(answer)
  if (answer.status === 200 && typeof submissionId === 'string') return submissionId
  throw new Error(`the submission was not accepted: ${answer.status} ${answer.text}`)
}
