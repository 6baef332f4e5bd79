// A site folder by the API: published from a zip or a form, given back as it was.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isHeld, takeFolderLock } from '../../src/storage/lock/folder-lock.ts'
import { aSite } from '../harness/a-site.ts'
import { ApiClient, type ApiReply } from '../harness/api-client.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventually } from '../harness/eventually.ts'
import { becomesLive } from '../harness/publishing.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'
import { type AnEntry, aZip, zipOf } from '../harness/zips.ts'

let box: Box
let publisher: ApiClient
let reader: ApiClient
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  publisher = await ApiClient.withToken(box, '--box', '--scope', 'publish')
  reader = await ApiClient.withToken(box, '--box', '--scope', 'read')
}, boxStartMsMax)
afterAll(() => box.stop())

const siteToml = (account: string, more = ''): string =>
  `account = "${account}"\nname = "The ${account} studio"\ndomains = ["go.${account}.test"]\n${more}`
/** More than the console's door awaits, so that the call is under way while it arrives. */
const incompressible = randomBytes(20_000).toString('base64')
const zipType = { 'content-type': 'application/zip' }

const applyZip = (path: string, zip: Uint8Array<ArrayBuffer>): Promise<ApiReply> =>
  publisher.call('POST', path, zip, zipType)

interface Result {
  account: string
  changes: { action: string; kind: string; name: string }[]
  pages: { slug: string }[]
  harm: unknown[]
}

/** What uploads leave below the data folder. */
const leftovers = (): string[] => {
  const dir = join(box.dir, 'data', 'uploads')
  return existsSync(dir) ? readdirSync(dir) : []
}

test.each(['application/zip', 'multipart/form-data; boundary=b'])(
  'a body of %s that is declared too large is refused before it is sent',
  async (type) => {
    using connection = await RawConnection.open(box.consolePort)
    await connection.say(
      [
        'POST /api/v1/accounts/acme/apply HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${publisher.token}`,
        `content-type: ${type}`,
        'content-length: 1000000000000',
        '\r\n',
      ].join('\r\n'),
    )
    const answer = await connection.answer()
    expect(answer?.status).toBe(413)
    expect(answer?.body).toContain('at most 4 GiB')
  },
)

test.each([
  [
    'POST',
    '/accounts/acme/apply',
    'application/zip',
    () => zipOf({ 'site.toml': siteToml('acme', 'robots = ""\n'), 'pages/large.html': incompressible }),
    [],
  ],
  [
    'PUT',
    '/accounts/acme/site.toml',
    'text/plain',
    () => new TextEncoder().encode(siteToml('acme', `# ${incompressible}\n`)),
    ['if-match: *'],
  ],
] as const)(
  '%s %s whose token is revoked while the body arrives changes nothing',
  async (method, path, type, body, more) => {
    const argv = ['token', 'create', '--name', 'late', '--box', '--scope', 'publish', '--expires', '1d', '--json']
    const { id, token } = JSON.parse((await box.run(argv)).stdout) as { id: string; token: string }
    const bytes = Buffer.from(body()).toString('latin1')
    using connection = await RawConnection.open(box.consolePort)
    const head = [
      `${method} /api/v1${path} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${token}`,
      `content-type: ${type}`,
      `content-length: ${bytes.length}`,
      ...more,
    ]
    await connection.say(rawRequest(head, bytes.slice(0, 9)))
    await eventually('the call is under way', async () => (await tokenUsedAt(id)) !== null)
    const before = await siteTomlOf('acme')
    expect((await box.run(['token', 'revoke', id])).status).toBe(0)
    await connection.say(bytes.slice(9))
    expect((await connection.answer())?.status).toBe(401)
    expect(await siteTomlOf('acme')).toBe(before)
  },
)

const siteTomlOf = async (account: string): Promise<string> =>
  new TextDecoder().decode((await reader.call('GET', `/accounts/${account}/site.toml`)).bytes)

async function tokenUsedAt(id: string): Promise<string | null> {
  const tokens = JSON.parse((await box.run(['token', 'list', '--json'])).stdout) as {
    id: string
    lastUsedAt: string | null
  }[]
  return tokens.find((token) => token.id === id)?.lastUsedAt ?? null
}

describe('a zip', () => {
  test('makes an account, is served, and changes nothing a second time', async () => {
    const zip = zipOf({ 'site.toml': siteToml('zipped'), 'pages/launch.html': '<p>Launch</p>', 'img/a.png': 'png' })
    const made = await applyZip('/accounts/apply', zip)
    expect([made.status, (made.json() as Result).account]).toEqual([200, 'zipped'])
    await becomesLive(
      box,
      { method: 'GET', host: 'go.zipped.test', path: '/launch', headers: {}, body: null },
      { status: 200 },
    )
    const again = await applyZip('/accounts/zipped/apply', zip)
    expect((again.json() as Result).changes).toEqual([])
    expect(leftovers()).toEqual([])
  })

  test('with an image that is none says so, and is published', async () => {
    const zip = zipOf({ 'site.toml': siteToml('pictured'), 'img/a.png': '<script>alert(1)</script>' })
    const { status, json } = await applyZip('/accounts/apply', zip)
    const { warnings } = json() as { warnings: { kind: string; file: string }[] }
    expect([status, warnings.map(({ kind, file }) => [kind, file])]).toEqual([200, [['doubtful_image', 'img/a.png']]])
  })

  test('changes nothing as a dry run', async () => {
    const zip = zipOf({ 'site.toml': siteToml('dry') })
    const { status, json } = await applyZip('/accounts/apply?dryRun=true', zip)
    expect([status, (json() as Result).changes[0]]).toMatchObject([
      200,
      { action: 'create', kind: 'account', name: 'dry' },
    ])
    expect((await reader.call('GET', '/accounts/dry/site.toml')).status).toBe(404)
  })

  test('may have its folder’s own name before everything', async () => {
    const zip = zipOf({ 'wrapped/site.toml': siteToml('wrapped'), 'wrapped/pages/a.html': 'a', '__MACOSX/._a': 'x' })
    const { status, json } = await applyZip('/accounts/apply', zip)
    expect([status, (json() as Result).pages.map(({ slug }) => slug)]).toEqual([200, ['a']])
  })

  const site = { name: 'site.toml', content: siteToml('bad') }
  const large = 'x'.repeat(20_000_000)
  test.each<[string, number, AnEntry[], string]>([
    [
      'that leads out of the folder',
      422,
      [site, { name: 'pages/../../evil.html', content: 'x' }],
      'leads out of the folder',
    ],
    ['with an absolute name', 422, [site, { name: '/etc/evil', content: 'x' }], 'absolute name'],
    ['with the name of a drive', 422, [site, { name: 'C:/evil', content: 'x' }], 'absolute name'],
    ['with a backslash', 422, [site, { name: 'pages\\a.html', content: 'x' }], 'backslash'],
    [
      'with a symbolic link',
      422,
      [site, { name: 'pages/a.html', content: '/etc/passwd', mode: 0o120777 }],
      'symbolic link',
    ],
    [
      'with a name twice',
      422,
      [site, { name: 'pages/a.html', content: 'x' }, { name: 'pages/a.html', content: 'y' }],
      'earlier entry',
    ],
    ['with a wrong checksum', 422, [site, { name: 'pages/a.html', content: 'x', crc: 1 }], 'checksum'],
    ['that is encrypted', 422, [site, { name: 'pages/a.html', content: 'x', flags: 1 }], 'encrypted'],
    ['that grows a thousandfold', 413, [site, { name: 'files/a.bin', content: large }], '100 times'],
    [
      'that lies about a size',
      422,
      [site, { name: 'pages/a.html', content: 'x'.repeat(1000), byteCount: 10 }],
      'damaged',
    ],
    [
      'with a file that is a folder too',
      422,
      [site, { name: 'pages', content: 'x' }, { name: 'pages/a.html', content: 'x' }],
      'same name',
    ],
  ])('%s is refused, and nothing of it is left', async (_, status, entries, sentence) => {
    const reply = await applyZip('/accounts/apply', aZip(entries))
    expect([reply.status, JSON.stringify(reply.json())]).toEqual([status, expect.stringContaining(sentence)])
    expect(leftovers()).toEqual([])
    expect((await reader.call('GET', '/accounts/bad/site.toml')).status).toBe(404)
  })

  test('that is none is refused', async () => {
    const reply = await applyZip('/accounts/apply', new TextEncoder().encode('no zip at all'))
    expect([reply.status, JSON.stringify(reply.json())]).toEqual([422, expect.stringContaining('This is no zip')])
  })

  test('with faults is answered with file, line and key of each', async () => {
    const zip = zipOf({ 'site.toml': siteToml('bad', 'payload_limit = 1\n'), 'pages/a b?.html': 'x' })
    const { status, json } = await applyZip('/accounts/apply', zip)
    const { error } = json() as {
      error: { code: string; faults: { file: string; line: number | null; key: string }[] }
    }
    expect([status, error.code]).toEqual([422, 'invalid'])
    expect(error.faults.map(({ file, line, key }) => [file, line, key])).toEqual([
      ['site.toml', 4, 'payload_limit'],
      ['pages/a b?.html', null, null],
    ] as never)
  })

  test('of another account is refused at the line that names it', async () => {
    const { status, json } = await applyZip('/accounts/acme/apply', zipOf({ 'site.toml': siteToml('other') }))
    const { error } = json() as { error: { faults: { line: number }[] } }
    expect([status, error.faults[0]?.line]).toEqual([422, 1])
  })

  test('names a page that is not UTF-8 by its name in the folder', async () => {
    const zip = zipOf({ 'site.toml': siteToml('bad'), 'pages/a.html': new Uint8Array([0x61, 0xe4]) })
    const { json } = await applyZip('/accounts/apply', zip)
    const { error } = json() as { error: { faults: { file: string; line: number }[] } }
    expect(error.faults.map(({ file, line }) => [file, line])).toEqual([['pages/a.html', 1]])
  })

  test('reads neither the environment nor a file of the box', async () => {
    const delivery = (secret: string) =>
      siteToml('bad', `[[deliveries]]\nname = "crm"\nkind = "webhook"\nurl = "https://crm.example/"\n${secret}\n`)
    for (const secret of [
      'secret_env = "PATH"',
      'secret_file = "/etc/hostname"',
      'secret_file = "../../../capture.db"',
    ]) {
      const { status, json } = await applyZip('/accounts/apply', zipOf({ 'site.toml': delivery(secret) }))
      expect([status, JSON.stringify(json())]).toEqual([422, expect.stringContaining('does not know')])
    }
  })
})

describe('a form', () => {
  test('brings the files of a folder by their names', async () => {
    const form = new FormData()
    const files = { 'formed/site.toml': siteToml('formed'), 'formed/pages/größe.txt': 'x', 'formed/pages/a.html': 'a' }
    for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name)
    const refused = await publisher.call('POST', '/accounts/apply', form)
    expect(JSON.stringify(refused.json())).toContain('pages/größe.txt')
    form.delete('files')
    for (const name of ['formed/site.toml', 'formed/pages/a.html'] as const)
      form.append('files', new Blob([files[name]]), name)
    const { status, json } = await publisher.call('POST', '/accounts/apply', form)
    expect([status, (json() as Result).pages.map(({ slug }) => slug)]).toEqual([200, ['a']])
  })

  test('with a name that leads out of the folder is refused', async () => {
    const form = new FormData()
    form.append('files', new Blob([siteToml('bad')]), 'site.toml')
    form.append('files', new Blob(['x']), '../../evil')
    expect((await publisher.call('POST', '/accounts/apply', form)).status).toBe(422)
    expect(leftovers()).toEqual([])
  })

  test('that breaks off is refused', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const body = '--x\r\ncontent-disposition: form-data; name="zip"; filename="a.zip"\r\n\r\nPK'
    expect((await publisher.call('POST', '/accounts/apply', body, type)).status).toBe(422)
  })
})

describe('the folder', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  const text = siteToml(
    'kept',
    `# a note\r\n[bot_check]\nprovider = "turnstile"\nsitekey = "k"\nsecret = "s3cret"\n[[deliveries]]\nname = "crm"\nkind = "webhook"\nurl = "https://crm.example/"\nsecret = "${secret}"\n`,
  )
  const files = { 'pages/a.html': '<p>ä</p>', 'img/deep/b.png': new Uint8Array([0, 1, 2, 255]), 'files/c.pdf': 'pdf' }
  beforeAll(async () => {
    const { status, json } = await applyZip('/accounts/apply', zipOf({ 'site.toml': text, ...files }))
    expect([status, status === 200 || json()]).toEqual([200, true])
  })

  test('comes back without its secrets, and otherwise the same to the byte', async () => {
    const reply = await reader.call('GET', '/accounts/kept/site.toml')
    const kept = '"(kept in the box)"'
    expect(new TextDecoder().decode(reply.bytes)).toBe(text.replace('"s3cret"', kept).replace(`"${secret}"`, kept))
  })

  test('as a zip is the same to the byte each time, and applied it changes nothing', async () => {
    const first = await reader.call('GET', '/accounts/kept/folder')
    const second = await reader.call('GET', '/accounts/kept/folder')
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
    const applied = await applyZip('/accounts/kept/apply', first.bytes)
    expect([applied.status, (applied.json() as Result).changes]).toEqual([200, []])
    expect(Buffer.compare(first.bytes, (await reader.call('GET', '/accounts/kept/folder')).bytes)).toBe(0)
  })

  test('keeps no secret for another provider, nor where there is none', async () => {
    const elsewhere = text
      .replace('"s3cret"', '"(kept in the box)"')
      .replace('sitekey', 'verify_url = "https://evil.example/"\nsitekey')
    const moved = await applyZip('/accounts/kept/apply', zipOf({ 'site.toml': elsewhere, ...files }))
    expect([moved.status, JSON.stringify(moved.json())]).toEqual([
      422,
      expect.stringContaining('write the secret anew'),
    ])
    const fresh = siteToml('fresh', '[bot_check]\nsecret = "(kept in the box)"\n')
    const none = await applyZip('/accounts/apply', zipOf({ 'site.toml': fresh }))
    const { error } = none.json() as { error: { faults: { line: number }[] } }
    expect([none.status, error.faults[0]?.line]).toEqual([422, 5])
  })

  test('gets another site.toml, if that is still the one that was read', async () => {
    const path = '/accounts/kept/site.toml'
    const reply = await reader.call('GET', path)
    const etag = reply.headers.get('etag') ?? ''
    const edited = new TextDecoder().decode(reply.bytes).replace('The kept studio', 'Another name')
    expect((await publisher.call('PUT', path, edited)).status).toBe(428)
    expect((await publisher.call('PUT', path, edited, { 'if-match': '"other"' })).status).toBe(412)
    const planned = await publisher.call('PUT', `${path}?dryRun=true`, edited, { 'if-match': etag })
    expect((planned.json() as Result).changes).toMatchObject([{ action: 'update', kind: 'settings', name: 'kept' }])
    const faulty = await publisher.call('PUT', path, `${edited}nonsense = 1\n`, { 'if-match': etag })
    expect([faulty.status, JSON.stringify(faulty.json())]).toEqual([422, expect.stringContaining('nonsense')])
    expect((await publisher.call('PUT', path, edited, { 'if-match': etag })).status).toBe(200)
    expect((await publisher.call('PUT', path, edited, { 'if-match': etag })).status).toBe(412)
    expect(new TextDecoder().decode((await reader.call('GET', path)).bytes)).toBe(edited)
  })

  test('gets no site.toml that is nested too deeply, by itself or in a folder', async () => {
    const path = '/accounts/kept/site.toml'
    const etag = (await reader.call('GET', path)).headers.get('etag') ?? ''
    const deep = `${text}\ndeep = ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`
    const alone = await publisher.call('PUT', path, deep, { 'if-match': etag })
    const folder = await applyZip('/accounts/kept/apply', zipOf({ 'site.toml': deep, ...files }))
    const fault = expect.stringContaining('lists and tables go deeper than 64 levels')
    expect([alone.status, JSON.stringify(alone.json())]).toEqual([422, fault])
    expect([folder.status, JSON.stringify(folder.json())]).toEqual([422, fault])
  })

  test('that comes from elsewhere says what it replaces', async () => {
    const zip = zipOf({ 'site.toml': text, ...files })
    const refused = await applyZip('/accounts/kept/apply', zip)
    const { error } = refused.json() as { error: { code: string; harm: { kind: string; subject: string }[] } }
    expect([refused.status, error.code]).toEqual([409, 'harm'])
    expect(error.harm).toMatchObject([{ kind: 'changed_here', subject: 'site.toml', count: 1 }])
    const { json } = await applyZip('/accounts/kept/apply?accept=changed_here', zip)
    const { changedHere } = json() as { changedHere: { what: string; via: string }[] }
    expect(changedHere.map(({ what, via }) => [what, via])).toEqual([['site.toml', 'api']])
  })

  test('that begins with what was changed on the box undoes nothing of it, whatever else it changes', async () => {
    const path = '/accounts/kept/site.toml'
    const read = await reader.call('GET', path)
    const edited = new TextDecoder().decode(read.bytes).replace('The kept studio', 'Another name')
    const put = await publisher.call('PUT', path, edited, { 'if-match': read.headers.get('etag') ?? '' })
    expect(put.status).toBe(200)
    const further = `${edited}\n[[redirects]]\nfrom = "/old"\nto = "https://www.acme.example/"\n`
    const applied = await applyZip('/accounts/kept/apply', zipOf({ 'site.toml': further, ...files }))
    expect([applied.status, (applied.json() as Result).harm]).toEqual([200, []])
  })
})

test('an apply while somebody else publishes is told to wait, and not for which account', async () => {
  const lock = takeFolderLock(join(box.dir, 'data'), 'publish', 'capture apply (rival)')
  if (!isHeld(lock)) throw new Error('somebody publishes')
  try {
    const refused = await applyZip('/accounts/acme/apply', zipOf({ 'site.toml': siteToml('acme') }))
    const text = new TextDecoder().decode(refused.bytes)
    expect([refused.status, text]).toEqual([409, expect.stringContaining('Try again when that is done.')])
    expect(text).not.toContain('rival')
  } finally {
    lock.release()
  }
})
