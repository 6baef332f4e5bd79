import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { apiErrorCodes } from '../../src/console/api/api-error.ts'
import type { ApiEndpoint } from '../../src/console/api/endpoint.ts'
import { endpointGroups } from '../../src/console/api/endpoints.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'

const callsEach = 12
/** In each value that is sent: no answer may repeat it. */
const marker = 'zq7xw'

let box: Box
const tokens: string[] = []
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  await box.send(formRequest())
  const scopes = 'read,publish,release,erase,admin'
  // Two, so that the calls a minute of one do not end the test.
  for (const name of ['one', 'two']) {
    const argv = ['token', 'create', '--name', name, '--box', '--scope', scopes, '--expires', '1d', '--json']
    tokens.push((JSON.parse((await box.run(argv)).stdout) as { token: string }).token)
  }
}, boxStartMsMax)
afterAll(() => box.stop())

let calls = 0
function call(method: string, path: string, body: string | null = null, type = 'application/json'): Promise<Response> {
  const authorization = `Bearer ${tokens[calls++ % tokens.length]}`
  const headers = {
    host: 'localhost',
    authorization,
    'if-match': '*',
    ...(body === null ? {} : { 'content-type': type }),
  }
  return fetch(`http://127.0.0.1:${box.consolePort}/api/v1${path}`, { method, headers, body, redirect: 'manual' })
}

/** What somebody may send who has not read the document, or read it to break it. */
const rough = fc.record({
  params: fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { minLength: 3, maxLength: 3 }),
  query: fc.dictionary(
    fc.constantFrom('limit', 'cursor', 'q', 'format', 'since', 'until', 'status', 'form', 'now', '__proto__', 'zq7xw'),
    fc.string({ maxLength: 30 }).map((text) => marker + text),
    { maxKeys: 3 },
  ),
  body: fc.oneof(
    fc.json({ stringUnit: 'binary' }),
    fc.string().map((text) => marker + text),
    fc
      .dictionary(
        fc.constantFrom('account', 'email', 'name', 'slug', 'to', 'url', 'html'),
        fc.string().map((text) => marker + text),
      )
      .map((fields) => JSON.stringify(fields)),
  ),
})

const pathOf = ({ path }: ApiEndpoint, params: readonly string[]): string => {
  let next = 0
  // Removing the account would leave nothing to call.
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'account' && path !== '/accounts/:account' ? 'acme' : encodeURIComponent(marker + (params[next++] ?? '')),
  )
}

const endpoints = endpointGroups.flatMap((group) => group.endpoints)
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe('a rough call', () => {
  test.each(named)('of %s is answered, with nothing of what was sent', async (_, endpoint) => {
    await fc.assert(
      fc.asyncProperty(rough, async ({ params, query, body }) => {
        const path = `${pathOf(endpoint, params)}?${new URLSearchParams(query)}`
        const response = await call(endpoint.method, path, endpoint.method === 'GET' ? null : body)
        const text = await response.text()
        if (response.ok) return
        expect(response.status).toBeLessThan(500)
        const { error } = JSON.parse(text) as { error: { code: string; message: string } }
        expect(apiErrorCodes as readonly string[]).toContain(error.code)
        expect(error.message).not.toContain(marker)
      }),
      { numRuns: callsEach },
    )
  })
})

describe('an answer', () => {
  const lists = named.filter(([, { method, path }]) => method === 'GET' && !/:(?!account)/.test(path))
  test.each(lists)('of %s fits the schema of its document', async (_, endpoint) => {
    const response = await call('GET', endpoint.path.replace(':account', 'acme'))
    if (!response.headers.get('content-type')?.includes('application/json')) return
    const value: unknown = await response.json()
    const faults = response.status === 200 ? [...Value.Errors(endpoint.answer, value)] : []
    expect(faults.map(({ path, message }) => `${path}: ${message}`)).toEqual([])
  })
})
