import type { Box } from './box.ts'
import type { ConsoleVisitor } from './console-visitor.ts'

export interface ApiCalled {
  status: number
  /** Empty where the answer is no JSON object. */
  body: Record<string, unknown>
  text: string
  headers: Headers
}

export interface ApiSent {
  /** As JSON. */
  json?: unknown
  /** As it is, with this content type. */
  text?: { type: string; content: string | Uint8Array<ArrayBuffer> }
  headers?: Record<string, string>
}

/** Calls of the API with a user's session, or with a token in place of it. */
export const apiOf =
  (box: Box, caller: ConsoleVisitor | { token: string }) =>
  async (method: string, path: string, { json, text, headers = {} }: ApiSent = {}): Promise<ApiCalled> => {
    const by =
      'token' in caller
        ? { authorization: `Bearer ${caller.token}` }
        : { cookie: caller.cookie, 'sec-fetch-site': 'same-origin' }
    const type = json === undefined ? text?.type : 'application/json'
    const response = await fetch(`http://127.0.0.1:${box.consolePort}/api/v1${path}`, {
      method,
      headers: { host: 'localhost', ...by, ...(type === undefined ? {} : { 'content-type': type }), ...headers },
      body: json === undefined ? (text?.content ?? null) : JSON.stringify(json),
    })
    const answered = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text: answered,
      body: isJson ? JSON.parse(answered) : {},
    }
  }

/** The code of a refusal. */
export const refusalOf = ({ body }: ApiCalled) => (body.error as { code?: string } | undefined)?.code

/** A token made by the command. */
export async function newToken(box: Box, ...options: string[]): Promise<{ token: string }> {
  const argv = ['token', 'create', '--name', 'test', '--expires', '1d', ...options, '--json']
  const { stdout, stderr, status } = await box.run(argv)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
