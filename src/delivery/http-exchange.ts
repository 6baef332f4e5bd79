import { boundedExchange } from './attempt.ts'

/** Characters of a body that are shown: enough to see what was sent or what a receiver complains about. */
const bodyCharactersMax = 4096

/** A request as it is shown: a secret address stands as `/…`. */
export interface ShownRequest {
  url: URL
  headers: Readonly<Record<string, string>>
  body: string
  /** Texts that act as keys, shown as `…` wherever they occur. */
  secrets: readonly string[]
}

/** An answer, as far as it was read. */
export interface ReadAnswer {
  status: number
  statusText: string
  headers: Headers
  body: string
  /** Why reading ended early; `null`: it was read to the end. */
  cut: string | null
}

/**
 * The dialogue as it happened, without secrets.
 * @param end the answer, or why there is none
 */
export function httpExchange(
  request: ShownRequest,
  address: string | null,
  end: ReadAnswer | { failure: string },
): string {
  const { url, headers, body, secrets } = request
  const target = url.pathname + url.search
  const sent = [
    `POST ${target} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    shortened(body),
  ]
  const answered = 'failure' in end ? [`(${end.failure})`] : answerLines(end)
  const to = address === null ? [] : [`(to ${address})`]
  const text = [...to, ...sent, '', ...answered].join('\n')
  return boundedExchange(withoutSecrets(text, secrets))
}

function answerLines({ status, statusText, headers, body, cut }: ReadAnswer): string[] {
  const first = `HTTP/1.1 ${status}${statusText === '' ? '' : ` ${statusText}`}`
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`)
  return [first, ...lines, '', shortened(body), ...(cut === null ? [] : [`(${cut})`])]
}

const shortened = (text: string): string =>
  text.length <= bodyCharactersMax
    ? text
    : `${text.slice(0, bodyCharactersMax)}\n[${text.length - bodyCharactersMax} more characters]`

/** Longest first: one may contain another. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets.filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length))
    clean = clean.replaceAll(secret, '…')
  return clean
}
