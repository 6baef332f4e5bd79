import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite, writeSite } from '../harness/a-site.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type Answer, refusalOf, type Sent } from '../harness/http.ts'
import { pdf, tokenOf, uploadRequest } from '../harness/visitor-files.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { type Acknowledged, nothingAcknowledged, startLoad } from './harness/load.ts'
import type { RunningServer } from './harness/program.ts'
import { expectIntact, expectPromisesKept } from './harness/promises-kept.ts'
import { getRequest, svgImage, trackedLink } from './harness/requests.ts'
import { SmallVolume } from './harness/small-volume.ts'

// A data folder on a volume of 12 MB, which is then filled (docs/running.md, "When the disk fills").

const volumeMegabytes = 12
const requestsOfAQuietDay = 1500

const isPossible = SmallVolume.isPossible('the tests of a full disk')

const site = aSite({
  forms: [aForm({ files: { cv: { types: ['pdf'], max: '3MB' } } })],
  files: {
    'pages/launch.html': '<!doctype html><title>Launch</title>',
    'pages/later.html': 'Later',
    'img/dot.svg': svgImage,
  },
})

/** What each test has a copy of, on a volume of its own. */
let prepared: BinaryBox
let volume: SmallVolume
let box: BinaryBox
let server: RunningServer
let link: Sent
let acknowledged: Acknowledged

describe.skipIf(!isPossible)('on a volume of 12 MB', () => {
  beforeAll(async () => {
    prepared = await BinaryBox.make()
    await prepared.apply(site)
    link = await trackedLink(prepared)
  }, buildMsMax)

  afterAll(() => prepared[Symbol.asyncDispose]())

  beforeEach(async () => {
    volume = SmallVolume.mount(volumeMegabytes)
    box = await prepared.copy({ dataDir: join(volume.dir, 'data') })
    server = await box.serve()
    acknowledged = nothingAcknowledged()
  })

  afterEach(async () => {
    await box[Symbol.asyncDispose]()
    volume[Symbol.dispose]()
  })

  test('a site is applied, a day of captures is stored, and exported', async () => {
    await load(requestsOfAQuietDay)
    await expectPromisesKept(box, acknowledged)
    expect(acknowledged.submissionIds.length).toBeGreaterThan(100)
    expect((await server.stop()).status).toBe(0)
  })

  test('while it is full, captures are answered 503 and everything else goes on', async () => {
    await fillUp()

    const form = await server.send(formRequest())
    expect(refusalOf(form)).toEqual({ status: 503, code: 'unavailable' })
    expectReadableByThePage(form)
    const event = await server.send(eventRequest())
    expect(refusalOf(event)).toEqual({ status: 503, code: 'unavailable' })
    expectReadableByThePage(event)
    const click = await server.send(link)
    expect(click.status).toBe(503)
    expect(Number(click.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(click.text).toContain('href="http://go.acme.test/launch"')

    for (const path of ['/launch', '/later', '/_svc/img/dot.svg', '/_svc/rc', '/_svc/v1.js']) {
      expect([path, (await server.send(getRequest(path))).status]).toEqual([path, 200])
    }
    await expectPromisesKept(box, acknowledged)
  })

  test('once there is room again it stores again by itself, and has lost nothing', async () => {
    await load(50)
    for (let round = 0; round < 2; round++) {
      await fillUp()
      volume.free()
      await eventually('captures are stored again', storesAgain)
      await load(50)
    }
    await expectPromisesKept(box, acknowledged)
    expectIntact(box)
  })

  test('killed on the full disk it starts there again, serves, and captures once there is room', async () => {
    await load(200)
    await fillUp()
    server.signal('SIGKILL')
    await server.ended()
    server = await box.serve()
    expect((await server.send(getRequest('/launch'))).status).toBe(200)
    expect((await server.send(formRequest())).status).toBe(503)
    volume.free()
    await eventually('captures are stored again', storesAgain)
    await expectPromisesKept(box, acknowledged)
    expectIntact(box)
  })

  test('what it could not store is told while it is full, and counted once after a kill and once there is room', async () => {
    volume.fill()
    let refused = 0
    const send = async () => {
      const status = await submit()
      if (status === 503) refused++
      return status
    }
    while (refused < 50) await send()
    await eventually('it is told', async () => (await formsNotStored()) === refused)
    const doctor = await box.run(['doctor'])
    expect(doctor.stdout).toContain(`Not stored in the last day: ${refused} forms of The acme studio`)
    expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringContaining('It is full')])

    server.signal('SIGKILL')
    await server.ended()
    expect(await formsNotStored()).toBe(refused)
    server = await box.serve()
    await send()
    volume.free()
    await eventually('captures are stored again', async () => (await send()) === 200)
    await eventually('all of them are counted', async () => (await formsNotStored()) === refused)
    const isHeldNoMore = async () => readFileSync(join(box.dataDir, 'not-stored.json'), 'utf8').trim() === '[]'
    await eventually('the reserve is empty', isHeldNoMore)
    expect(await formsNotStored()).toBe(refused)
    await server.says('stderr', /Records are being stored again/)
    expect(server.stderr.match(/cannot be stored/g)).toHaveLength(1)
  })

  test('an apply on the full disk says that it is full, and changes nothing', async () => {
    const folder = join(box.dir, 'sites/acme')
    await fillUp()
    writeSite(folder, aSite({ files: { 'pages/launch.html': 'x'.repeat(20_000), 'pages/new.html': 'New' } }))
    const { status, stderr } = await box.run(['apply', folder])
    expect(status).toBe(1)
    expect(stderr).toContain('full')
    expect(stderr).not.toContain('internal error')
    expect((await server.send(getRequest('/launch'))).text).toContain('<title>Launch')
    expect((await server.send(getRequest('/new'))).status).toBe(404)
    volume.free()
    expect((await box.run(['apply', folder])).status).toBe(0)
  })

  test('a file for which the room runs out is refused and leaves nothing, and a form without one is stored', async () => {
    const pieces = [pdf(), ...Array.from({ length: 20 }, () => new Uint8Array(100_000))]
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pieces.length === 19) volume.fill(volume.freeBytes() - 500_000)
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    })
    const answer = await server.send(uploadRequest(body))
    expect(refusalOf(answer)).toEqual({ status: 503, code: 'unavailable' })
    expectReadableByThePage(answer)
    expect(readdirSync(join(box.dataDir, 'waiting-files'))).toEqual([])
    expect(await submit()).toBe(200)
  })

  test('a form whose record finds no room is refused, and claims its file once there is some', async () => {
    const cv = tokenOf(await server.send(uploadRequest(pdf('waits'))))
    const claim = () => server.send(formRequest({ fields: { cv } }))
    await fillUp()
    expect(refusalOf(await claim())).toEqual({ status: 503, code: 'unavailable' })
    volume.free()
    await eventually('captures are stored again', storesAgain)
    const id = submissionIdOf(await claim())
    acknowledged.submissionIds.push(id)
    expect(await box.done(['submission', 'file', 'acme', id, 'cv.pdf', '--out', '-'])).toContain('waits')
    await expectPromisesKept(box, acknowledged)
  })

  test('told to stop on the full disk it ends well, and what it had acknowledged is there', async () => {
    await load(200)
    await fillUp()
    expect(await server.stop()).toEqual({ status: 0, signal: null })
    volume.free()
    server = await box.serve()
    await expectPromisesKept(box, acknowledged)
  })
})

async function load(requests: number): Promise<void> {
  const run = startLoad({ server, link, acknowledged })
  await run.reached(requests)
  await run.stop()
}

/** Fills the volume under load: what still finds room in the log is acknowledged, until nothing does. */
async function fillUp(): Promise<void> {
  volume.fill()
  let refused = 0
  const mayRefuse = ({ status }: Answer) => {
    if (status === 503) refused++
    return status === 503
  }
  const run = startLoad({ server, link, acknowledged, mayRefuse })
  await eventually('captures are refused', async () => refused > 100)
  await run.stop()
  volume.fill()
  await eventually('a submission is refused', async () => (await submit()) === 503)
}

async function formsNotStored(): Promise<number> {
  const told = JSON.parse(await box.done(['refusals', 'acme', '--json']))
  const { refusals } = told as { refusals: { endpoint: string; check: string; count: number }[] }
  const forms = refusals.filter(({ endpoint, check }) => endpoint === 'form' && check === 'storage')
  return forms.reduce((sum, { count }) => sum + count, 0)
}

const storesAgain = async () => (await submit()) === 200

async function submit(): Promise<number> {
  const answer = await server.send(formRequest())
  if (answer.status === 200) acknowledged.submissionIds.push(JSON.parse(answer.text).submissionId)
  return answer.status
}

function expectReadableByThePage({ headers }: Answer): void {
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('access-control-allow-origin')).toBe('https://www.acme.test')
  expect(headers.get('access-control-allow-credentials')).toBe('true')
  expect(headers.get('access-control-expose-headers')).toBe('Retry-After')
}
