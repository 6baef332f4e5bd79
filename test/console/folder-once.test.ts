// What an upload may be sent again for: a lost answer, or a form that broke off.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { aSite } from '../harness/a-site.ts'
import { ApiClient, type ApiReply } from '../harness/api-client.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { zipOf } from '../harness/zips.ts'

let box: Box
let publisher: ApiClient
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  publisher = await ApiClient.withToken(box, '--box', '--scope', 'publish')
}, boxStartMsMax)
afterAll(() => box.stop())

const siteToml = (account: string): string =>
  `account = "${account}"\nname = "The ${account} studio"\ndomains = ["go.${account}.test"]\n`

const keyIn = ({ json }: ApiReply): string | undefined => (json() as { trackingKey?: string }).trackingKey
const codeIn = ({ json }: ApiReply): string | undefined => (json() as { error?: { code: string } }).error?.code

/** A form (RFC 7578) with this boundary. */
function formOf(boundary: string, parts: { field: string; name: string; content: string }[]) {
  const text = parts.map(
    ({ field, name, content }) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}\r\n`,
  )
  return {
    body: new TextEncoder().encode(`${text.join('')}--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')

async function missing(client: ApiClient, sha256: string): Promise<string[]> {
  const body = new TextEncoder().encode(JSON.stringify({ hashes: [sha256] }))
  const answer = await client.call('POST', '/accounts/apply/missing', body, { 'content-type': 'application/json' })
  return (answer.json() as { missing: string[] }).missing
}

test('a zip that is sent again with its Idempotency-Key gets the first answer', async () => {
  const headers = { 'content-type': 'application/zip', 'idempotency-key': 'zip-1' }
  const apply = (account: string) =>
    publisher.call('POST', '/accounts/apply', zipOf({ 'site.toml': siteToml(account) }), headers)
  const first = await apply('zipped')
  const again = await apply('zipped')
  expect([first.status, again.status, keyIn(again)]).toEqual([200, 200, keyIn(first)])
  expect(keyIn(first)).toBeString()
  const other = await apply('another')
  expect([other.status, codeIn(other)]).toEqual([409, 'key_reused'])
})

test('a form is the same with another boundary', async () => {
  const apply = (boundary: string, page: string) => {
    const { body, type } = formOf(boundary, [
      { field: 'files', name: 'formed/site.toml', content: siteToml('formed') },
      { field: 'files', name: 'formed/pages/a.html', content: page },
    ])
    return publisher.call('POST', '/accounts/apply', body, { 'content-type': type, 'idempotency-key': 'form-1' })
  }
  const first = await apply('one', '<p>A</p>')
  const again = await apply('two', '<p>A</p>')
  expect([first.status, again.status, keyIn(again)]).toEqual([200, 200, keyIn(first)])
  expect(codeIn(await apply('three', '<p>B</p>'))).toBe('key_reused')
})

test('contents of a form that failed need not be sent again, by their sender alone', async () => {
  const page = '<p>Kept</p>'
  const sha256 = hashOf(page)
  const manifest = {
    siteToml: siteToml('kept'),
    secrets: {},
    files: [{ path: 'pages/a.html', sha256, bytes: page.length }],
  }
  const withContent = (text: string, contents: string[]) =>
    formOf('kept', [
      { field: 'manifest', name: 'manifest', content: text },
      ...contents.map((content) => ({ field: 'content', name: 'content', content })),
    ])
  const apply = ({ body, type }: { body: Uint8Array<ArrayBuffer>; type: string }) =>
    publisher.call('POST', '/accounts/apply', body, { 'content-type': type })
  const faulty = { ...manifest, siteToml: `${manifest.siteToml}unknown = 1\n` }
  expect((await apply(withContent(JSON.stringify(faulty), [page]))).status).toBe(422)
  const other = await ApiClient.withToken(box, '--box', '--scope', 'publish')
  expect([await missing(publisher, sha256), await missing(other, sha256)]).toEqual([[], [sha256]])
  expect((await apply(withContent(JSON.stringify(manifest), []))).status).toBe(200)
  expect(await missing(publisher, sha256)).toEqual([sha256])
})

test('an upload that succeeds leaves what is kept for another of the same sender', async () => {
  const [own, others] = ['<p>Of this one</p>', '<p>Of the other one</p>']
  const send = (account: string, { page, extra = '' }: { page: string; extra?: string }, contents: string[]) => {
    const manifest = {
      siteToml: `${siteToml(account)}${extra}`,
      secrets: {},
      files: [{ path: 'pages/a.html', sha256: hashOf(page), bytes: page.length }],
    }
    const { body, type } = formOf('two', [
      { field: 'manifest', name: 'manifest', content: JSON.stringify(manifest) },
      ...contents.map((content) => ({ field: 'content', name: 'content', content })),
    ])
    return publisher.call('POST', '/accounts/apply', body, { 'content-type': type })
  }
  expect((await send('one-job', { page: own, extra: 'unknown = 1\n' }, [own])).status).toBe(422)
  expect((await send('other-job', { page: others, extra: 'unknown = 1\n' }, [others])).status).toBe(422)
  expect((await send('one-job', { page: own }, [])).status).toBe(200)
  expect((await send('other-job', { page: others }, [])).status).toBe(200)
})

test('nothing is kept of a form that is too large', async () => {
  const grown = Bun.gzipSync(new Uint8Array(67_108_865))
  const form = new FormData()
  form.append('content', new Blob(['Large']), 'content')
  form.append('manifest', new Blob([grown], { type: 'application/gzip' }), 'manifest')
  const sent = new Response(form)
  const headers = { 'content-type': sent.headers.get('content-type') ?? '' }
  const answer = await publisher.call('POST', '/accounts/apply', new Uint8Array(await sent.arrayBuffer()), headers)
  expect([answer.status, await missing(publisher, hashOf('Large'))]).toEqual([413, [hashOf('Large')]])
})
