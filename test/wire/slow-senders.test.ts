// Callers who send slowly, or stop: cut off in time, and no burden to anybody else.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'

const pieceEveryMs = 500
/** The service gives a body 15 seconds. Where this process was kept from sending it for so long, it is not what is tested. */
const patientMsMax = 10_000

const head = ['POST /_svc/f/contact1 HTTP/1.1', 'Host: go.acme.test', 'Content-Type: application/json']

/** What a slow sender says at once, and what it goes on to say piece by piece. */
const slow: [what: string, begins: string, piece: string][] = [
  ['says nothing', '', ''],
  ['stops within the request line', 'POST /_svc', ''],
  ['stops within the headers', head.join('\r\n'), ''],
  ['dribbles headers', head.join('\r\n'), '\r\nX-Slow: a'],
  ['stops before the body', rawRequest([...head, 'Content-Length: 100']), ''],
  ['stops within the body', rawRequest([...head, 'Content-Length: 100'], '{"marker":"stopped"'), ''],
  ['dribbles the body', rawRequest([...head, 'Content-Length: 5000'], '{"marker":"dribbled"'), ' '],
  ['dribbles chunks', rawRequest([...head, 'Transfer-Encoding: chunked']), '1\r\n \r\n'],
]

let box: Box
let endings: Map<string, Promise<void>>
const timers: Timer[] = []

beforeAll(async () => {
  box = await Box.start([aSite()])
  endings = new Map(slow.map(([what, begins, piece]) => [what, untilCut(begins, piece)]))
}, boxStartMsMax)

afterAll(async () => {
  for (const timer of timers) clearInterval(timer)
  await box.stop()
})

async function untilCut(begins: string, piece: string): Promise<void> {
  using connection = await RawConnection.open(box.port)
  await connection.say(begins)
  if (piece !== '') timers.push(setInterval(() => void connection.say(piece), pieceEveryMs))
  await connection.closed()
}

test('beside them everybody else is answered', async () => {
  expect((await box.send(formRequest())).status).toBe(200)
})

test('a body that takes three seconds on its way is accepted', async () => {
  for (let tookMs = Number.POSITIVE_INFINITY; tookMs > patientMsMax; ) {
    const begunAtMs = performance.now()
    const answer = await sentPatiently()
    tookMs = performance.now() - begunAtMs
    if (tookMs <= patientMsMax) expect(answer?.status).toBe(200)
  }
})

async function sentPatiently() {
  using connection = await RawConnection.open(box.port)
  const body = '{"marker":"patient"}'
  await connection.say(rawRequest([...head, `Content-Length: ${body.length}`]))
  for (let at = 0; at < body.length; at += 4) {
    await connection.say(body.slice(at, at + 4))
    await Bun.sleep(600)
  }
  return await connection.answer()
}

describe('a sender is cut off that', () => {
  test.each(slow.map(([what]) => what))('%s', async (what) => {
    await endings.get(what)
  })
})

test('nothing of what was cut off is stored', async () => {
  await Promise.all(endings.values())
  expect(JSON.stringify(await box.submissions())).not.toMatch(/stopped|dribbled/)
})
