// The operator's address (docs/monitoring.md): /livez, /readyz, /metrics.
import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { type ExposedFamily, parseExposition } from '../harness/exposition.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { type RunningServer, runProgram } from './harness/program.ts'
import { getRequest, svgImage } from './harness/requests.ts'
import { SmallVolume } from './harness/small-volume.ts'

const site = aSite({ files: { 'pages/launch.html': '<!doctype html><title>Launch</title>', 'img/dot.svg': svgImage } })

/** So soon `/readyz` says that the writing thread hangs. */

let box: BinaryBox
let server: RunningServer
let port = 0

/** The server, with an operator's address on a free port. */
const serve = (of: BinaryBox, listen = '127.0.0.1:0') => of.serve({ CAPTURE_OPERATOR_LISTEN: listen })

const operatorPort = async (of: RunningServer) =>
  Number((await of.says('stderr', /"Listening for the operator\.".*"port":(\d+)/))[1])

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init)

async function scraped(): Promise<Map<string, ExposedFamily>> {
  return parseExposition(await (await ask('/metrics')).text())
}

/** The one value of a family that has these labels. */
async function metric(family: string, wanted: Record<string, string> = {}, suffix = ''): Promise<number | undefined> {
  const samples = (await scraped()).get(family)?.samples ?? []
  return samples.find(
    ({ name, labels }) =>
      name.endsWith(suffix) && Object.entries(wanted).every(([label, text]) => labels[label] === text),
  )?.value
}

describe('a box that is watched', () => {
  beforeAll(async () => {
    box = await BinaryBox.make()
    await box.apply(site)
    server = await serve(box)
    port = await operatorPort(server)
  })

  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await box[Symbol.asyncDispose]()
  })

  test('`capture ready` ends with 0 while it would store, and with 1 where nothing answers', async () => {
    const run = (listen: string) =>
      runProgram(['ready'], { executable: box.executable, cwd: box.dir, env: { CAPTURE_OPERATOR_LISTEN: listen } })
    expect(await run(`127.0.0.1:${port}`)).toMatchObject({ status: 0, stdout: expect.stringContaining('stored') })
    expect(await run('127.0.0.1:1')).toMatchObject({ status: 1, stdout: expect.stringContaining('Nothing answers') })
    expect(await run('')).toMatchObject({ status: 1, stderr: expect.stringContaining('operator') })
  })

  test.each(['/livez', '/metrics', '/nowhere'])('gives browsers nothing to run or to frame: %s', async (path) => {
    const { headers } = await ask(path)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('answers /livez and /readyz with a sentence, to GET and HEAD alone', async () => {
    for (const path of ['/livez', '/readyz']) {
      const answer = await ask(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/plain; charset=utf-8',
      ])
      expect(await answer.text()).toMatch(/^[A-Z][^\n]+\.\n$/)
      const head = await ask(path, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const post = await ask(path, { method: 'POST', body: 'x' })
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  test('exposes every family as OpenMetrics 1.0', async () => {
    const answer = await ask('/metrics')
    expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    const families = [...parseExposition(await answer.text()).values()].map(({ name, type }) => [name, type])
    expect(families).toEqual([
      ['capture_requests', 'counter'],
      ['capture_request_seconds', 'histogram'],
      ['capture_refusals', 'counter'],
      ['capture_console_refusals', 'counter'],
      ['capture_commit_seconds', 'histogram'],
      ['capture_commit_entries', 'histogram'],
      ['capture_records_waiting', 'gauge'],
      ['capture_certificate_expiry_seconds', 'gauge'],
      ['capture_deliveries', 'gauge'],
      ['capture_backup_age_seconds', 'gauge'],
      ['capture_disk_free_bytes', 'gauge'],
      ['process_resident_memory_bytes', 'gauge'],
      ['capture_build', 'info'],
    ])
  })

  test.each([
    ['text/plain', 'text/plain; version=0.0.4; charset=utf-8'],
    ['*/*', 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    [
      'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.3',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ],
  ])('exposes to who accepts %s the format %s', async (accept, type) => {
    expect((await ask('/metrics', { headers: { accept } })).headers.get('content-type')).toBe(type)
  })

  test('counts what it answers, refuses and commits', async () => {
    const requests = (endpoint: string, code: string) => metric('capture_requests', { endpoint, code })
    const formsBefore = (await requests('form', '200')) ?? 0
    const entriesBefore = (await metric('capture_commit_entries', {}, '_sum')) ?? 0
    expect((await server.send(formRequest())).status).toBe(200)
    expect((await server.send(eventRequest({ events: [{ event: 'one' }, { event: 'two' }] }))).status).toBe(202)
    expect((await server.send(formRequest({ headers: { origin: 'https://evil.example' } }))).status).toBe(403)
    expect((await server.send(getRequest('/nowhere'))).status).toBe(404)
    expect((await server.send(getRequest('/_svc/img/dot.svg'))).status).toBe(200)

    expect(await requests('form', '200')).toBe(formsBefore + 1)
    expect(await requests('event', '202')).toBe(1)
    expect(await requests('form', '403')).toBe(1)
    expect(await requests('page', '404')).toBe(1)
    expect(await requests('image', '200')).toBe(1)
    const refused = { account: 'acme', endpoint: 'form', check: 'origin' }
    expect(await metric('capture_refusals', refused)).toBe(1)
    expect(await metric('capture_commit_entries', {}, '_sum')).toBe(entriesBefore + 3)
    expect(await metric('capture_commit_seconds', {}, '_sum')).toBeGreaterThan(0)
    expect(await metric('capture_disk_free_bytes')).toBeGreaterThan(1024)
    expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(1024 * 1024)
    await eventually('all is processed', async () => (await metric('capture_records_waiting')) === 0)
  })

  test('says nothing personal, and names no host, origin, path or form', async () => {
    await server.send(formRequest({ fields: { email: 'zoe@private.example', name: 'Zoe Quartz' } }))
    await server.send(formRequest({ form: 'nosuchform', headers: { origin: 'https://evil.example' } }))
    const text = await (await ask('/metrics')).text()
    const said = [
      'zoe',
      'quartz',
      'private.example',
      'evil.example',
      'nosuchform',
      'contact1',
      'go.acme.test',
      '127.0.0.1',
    ]
    expect(said.filter((word) => text.toLowerCase().includes(word))).toEqual([])
  })

  test('has no more series for many paths, forms and methods', async () => {
    const series = async () => [...(await scraped()).values()].reduce((sum, { samples }) => sum + samples.length, 0)
    const some = async (from: number) => {
      for (let n = from; n < from + 10; n++) {
        await server.send(getRequest(`/page-${n}`))
        await server.send({ ...getRequest(`/page-${n}/deep`), method: 'PATCH' })
        await server.send(formRequest({ form: `form${n}` }))
        await server.send(formRequest({ headers: { origin: `https://origin-${n}.example` } }))
      }
    }
    await some(0)
    const before = await series()
    await some(10)
    expect(await series()).toBe(before)
  })

  test('has nothing of a site there, and nothing of this on a site', async () => {
    for (const path of [
      '/',
      '/launch',
      '/_svc/rc',
      '/_svc/v1.js',
      '/livez/',
      '/metrics/x',
      '/__proto__',
      '/toString',
    ]) {
      expect([path, (await ask(path, { headers: { host: `localhost:${port}` } })).status]).toEqual([path, 404])
    }
    for (const path of ['/livez', '/readyz', '/metrics']) {
      expect([path, (await server.send(getRequest(path))).status]).toEqual([path, 404])
    }
  })

  test('answers nobody who asks by a name that may be anybody’s (DNS rebinding)', async () => {
    for (const host of ['evil.example', `go.acme.test:${port}`]) {
      const answer = await ask('/metrics', { headers: { host } })
      expect([host, answer.status]).toEqual([host, 421])
      expect(await answer.text()).not.toContain('capture_')
    }
    expect((await ask('/livez', { headers: { host: `localhost:${port}` } })).status).toBe(200)
  })
})

describe('a box that cannot commit', () => {
  beforeEach(async () => {
    box = await BinaryBox.make()
  })

  afterEach(async () => {
    await box[Symbol.asyncDispose]()
  })

  test('says so within 12 s when its writing thread hangs, without a capture, and when it is well again', async () => {
    await box.apply(site)
    await using running = await serve(box)
    port = await operatorPort(running)
    expect((await ask('/readyz')).status).toBe(200)

    using other = new Database(box.databaseFile)
    other.run('PRAGMA busy_timeout = 60000')
    other.run('BEGIN IMMEDIATE')
    const status = async () => (await ask('/readyz')).status
    await eventually('it is not ready', async () => (await status()) === 503)
    expect(await (await ask('/readyz')).text()).toMatch(/^Nothing can be stored: [^\n]+\.\n$/)
    expect((await ask('/livez')).status).toBe(200)
    expect((await running.send(getRequest('/launch'))).status).toBe(200)

    other.run('ROLLBACK')
    await eventually('it is ready', async () => (await status()) === 200)
    expect((await running.send(formRequest())).status).toBe(200)
  })

  test.skipIf(!SmallVolume.isPossible('the test of readiness on a full disk'))(
    'says so on a full disk that nothing is sent to, and when there is room again',
    async () => {
      using volume = SmallVolume.mount(12)
      await using full = await BinaryBox.make({ dataDir: join(volume.dir, 'data') })
      await full.apply(site)
      await using running = await serve(full)
      port = await operatorPort(running)
      volume.fill()
      const status = async () => (await ask('/readyz')).status
      await eventually('it is not ready', async () => (await status()) === 503)
      expect(await (await ask('/readyz')).text()).toContain('full')
      expect((await ask('/metrics')).status).toBe(200)
      volume.free()
      await eventually('it is ready', async () => (await status()) === 200)
    },
  )
})

test('a box that stops is not ready while it answers what is under way', async () => {
  await using stopping = await BinaryBox.make()
  await stopping.apply(site)
  await using running = await serve(stopping)
  port = await operatorPort(running)
  // A submission whose body does not end keeps the service from ending at once.
  const begun = 'POST /_svc/f/contact1 HTTP/1.1\r\nHost: go.acme.test\r\nOrigin: https://www.acme.test\r\n'
  const typed = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const socket = await Bun.connect({ hostname: '127.0.0.1', port: running.port, socket: { data: () => {} } })
  socket.write(begun + typed)
  socket.flush()
  // An answer to a later connection: the earlier bytes have been read by then.
  await running.send(getRequest('/launch'))
  running.signal('SIGTERM')
  const fault = async () => (await ask('/readyz')).text()
  await eventually('it says so', async () => (await fault()) === 'The service is stopping.\n')
  expect((await ask('/livez')).status).toBe(200)
  socket.end()
  expect((await running.ended()).status).toBe(0)
})

describe('where the address is taken', () => {
  beforeEach(async () => {
    box = await BinaryBox.make()
  })

  afterEach(async () => {
    await box[Symbol.asyncDispose]()
  })

  test('a box serves on without its default one, and its log says what to do', async () => {
    // Held by this test, or by whoever has it already.
    const holder = occupied(9180)
    await using running = await serve(box, '127.0.0.1:9180')
    expect(running.stderr).toMatch(/"level":"warn".*127\.0\.0\.1:9180.*\[operator\] listen/)
    expect((await running.send(getRequest('/launch'))).status).toBe(404)
    await holder?.stop(true)
  })

  test('another one is a fault, which names the key', async () => {
    const holder = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { status, stderr } = await box.run(['serve'], { CAPTURE_OPERATOR_LISTEN: `127.0.0.1:${holder.port}` })
    expect(status).toBe(1)
    expect(stderr).toContain(`127.0.0.1:${holder.port} is taken`)
    expect(stderr).toContain('[operator] listen')
    await holder.stop(true)
  })

  test('closed, nothing listens there and nothing is said of it', async () => {
    await using running = await serve(box, '')
    expect(running.stderr).not.toContain('operator')
  })
})

function occupied(at: number): Bun.Server<undefined> | null {
  try {
    return Bun.serve({ port: at, hostname: '127.0.0.1', fetch: () => new Response() })
  } catch {
    return null
  }
}
