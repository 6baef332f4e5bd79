import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { buildMsMax } from '../harness/executable.ts'
import type { Answer, Sent } from '../harness/http.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { nothingAcknowledged, startLoad } from './harness/load.ts'
import type { RunningServer } from './harness/program.ts'
import { expectPromisesKept } from './harness/promises-kept.ts'
import { getRequest, trackedLink } from './harness/requests.ts'
import { SlowClient } from './harness/slow-client.ts'

// SIGTERM (docs/running.md): stops accepting, answers what is in flight, writes what it holds, exits 0 within 10 s.

/** What a request in flight is given before it is cut. */
const graceMs = 9000
/** How often it is tried to stop the service at the right moment. */
const triesMax = 10
/** More than the kernel's buffers on both sides take, so that the service has to wait for its reader. */
const longFile = new Uint8Array(32 * 1024 * 1024)

/** What all but one begin with. */
let prepared: BinaryBox
let link: Sent
beforeAll(async () => {
  prepared = await BinaryBox.make()
  await prepared.apply(aSite({ files: { 'pages/launch.html': 'Hello' } }))
  link = await trackedLink(prepared)
}, buildMsMax)
afterAll(() => prepared[Symbol.asyncDispose]())

test('everything acknowledged while it stops under load is stored', async () => {
  await using box = await prepared.copy()
  await using server = await box.serve()
  const acknowledged = nothingAcknowledged()
  const load = startLoad({ server, link, acknowledged })
  await load.reached(200)
  expect(await server.stop()).toEqual({ status: 0, signal: null })
  await load.stop()
  await expectPromisesKept(box, acknowledged)
})

test('a request that is half sent is still answered, and nobody new is let in', async () => {
  await using box = await prepared.copy()
  await using server = await box.serve()
  using client = await SlowClient.open(server.port)
  client.say(halfForm.head + halfForm.start)
  await toHaveArrived(server)
  server.signal('SIGTERM')
  await server.says('stderr', /Stopping/)
  await expect(server.send(getRequest('/'))).rejects.toThrow()
  client.say(halfForm.end)
  const answer = await client.rest()
  expect(answer).toStartWith('HTTP/1.1 200 ')
  expect(await server.ended()).toEqual({ status: 0, signal: null })
  expect((await box.submissions()).map(({ submissionId }) => answer.includes(submissionId))).toEqual([true])
})

test('page views that lag behind their answers are stored before it ends', async () => {
  await using box = await prepared.copy()
  await using server = await box.serve()
  const views = 50
  const answers = await Promise.all(Array.from({ length: views }, () => server.send(getRequest('/launch'))))
  await server.stop()
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(views)
  expect(await box.events()).toHaveLength(views)
})

// The two that take their ten seconds run side by side.

test.concurrent('a download that takes for ever is cut after 9 s, so that it ends well within 10, told to once or twice', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite({ files: { 'files/long.bin': longFile } }))
  await using server = await box.serve()
  using client = await SlowClient.open(server.port)
  client.say('GET /_svc/file/long.bin HTTP/1.1\r\nhost: go.acme.test\r\n\r\n')
  expect(await client.firstBytes()).toStartWith('HTTP/1.1 200 ')
  const toldAt = performance.now()
  server.signal('SIGTERM')
  await server.says('stderr', /Stopping/)
  server.signal('SIGTERM')
  expect(await server.ended()).toEqual({ status: 0, signal: null })
  const tookMs = performance.now() - toldAt
  expect(tookMs).toBeGreaterThan(graceMs - 500)
  expect((await client.rest()).length).toBeLessThan(longFile.byteLength)
})

test.concurrent('with a database that lets nobody write it answers 503 before the lock is given up, and ends well', async () => {
  let wasCut = false
  for (let tries = 0; !wasCut && tries < triesMax; tries++) wasCut = await stoppedBesideLock()
  expect(wasCut).toBe(true)
})

/** Answers whether the writing thread was cut. Not so where a slow machine lets it take both at once, or is late with the signal. */
async function stoppedBesideLock(): Promise<boolean> {
  await using box = await prepared.copy()
  await using server = await box.serve()
  const kept = submissionIdOf(await server.send(formRequest()))
  using other = new Database(box.databaseFile, { readwrite: true, strict: true })
  // A step of processing may hold the lock for a moment.
  other.run('PRAGMA busy_timeout = 60000')
  other.run('BEGIN IMMEDIATE')
  const waiting = [outcomeOf(server.send(formRequest()))]
  // Long enough for the writing thread to take up the first alone: it waits 5 s for the lock, then 5 s for the second.
  for (let trip = 0; trip < 100; trip++) await toHaveArrived(server)
  waiting.push(outcomeOf(server.send(formRequest())))
  await toHaveArrived(server)
  server.signal('SIGTERM')
  expect(await Promise.all(waiting)).toEqual([503, 503])
  expect(await server.ended()).toEqual({ status: 0, signal: null })
  other.run('ROLLBACK')
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([kept])
  return server.stderr.includes('The writing thread failed')
}

test('a terminal that is closed does not end it', async () => {
  await using box = await prepared.copy()
  await using server = await box.serve()
  server.signal('SIGHUP')
  await server.says('stderr', /read again/)
  expect((await server.send(formRequest())).status).toBe(200)
  expect(await server.stop()).toEqual({ status: 0, signal: null })
})

test('a second Ctrl-C ends it at once, and what was acknowledged is there', async () => {
  await using box = await prepared.copy()
  await using server = await box.serve()
  const acknowledged = nothingAcknowledged()
  const load = startLoad({ server, link, acknowledged })
  using client = await SlowClient.open(server.port)
  client.say(halfForm.head + halfForm.start)
  await load.reached(50)
  server.signal('SIGINT')
  await server.says('stderr', /Stopping/)
  server.signal('SIGINT')
  // After the 9 s of the first it would end well.
  expect((await server.ended()).status).toBe(1)
  await load.stop()
  await expectPromisesKept(box, acknowledged)
})

const body = JSON.stringify({ email: 'ada@example.test' })
const halfForm = {
  head: `POST /_svc/f/contact1 HTTP/1.1\r\nhost: go.acme.test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  start: body.slice(0, 5),
  end: body.slice(5),
}

/** The status of an answer; `null` when the connection was cut before there was one. */
const outcomeOf = (answer: Promise<Answer>): Promise<number | null> =>
  answer.then(
    ({ status }) => status,
    () => null,
  )

/** What was said before on another connection has been read once this is answered: the service reads in order of arrival. */
const toHaveArrived = (server: RunningServer) => server.send(getRequest('/'))
