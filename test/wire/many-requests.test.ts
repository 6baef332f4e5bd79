// Ten thousand requests on one connection, and as many connections as somebody cares to open.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { type RawAnswer, RawConnection, rawRequest } from '../harness/raw-http.ts'

const many = 10_000
const connections = 300
let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

afterEach(async () => {
  expect((await box.send(formRequest())).status).toBe(200)
})

const configuration = (n: number) => rawRequest([`GET /_svc/rc?f=form${n} HTTP/1.1`, 'Host: go.acme.test'])
const form = (n: number, field = 'pipelined') => {
  const body = `{"${field}":${n}}`
  const head = ['POST /_svc/f/contact1 HTTP/1.1', 'Host: go.acme.test', 'Content-Type: application/json']
  return rawRequest([...head, `Content-Length: ${body.length}`], body)
}

/** Says all requests at once and takes answers until there are no more. */
async function pipelined(request: (n: number) => string, count: number): Promise<RawAnswer[]> {
  using connection = await RawConnection.open(box.port)
  const saying = connection.say(Array.from({ length: count }, (_, n) => request(n)).join(''))
  const answers: RawAnswer[] = []
  for (let answer = await connection.answer(); answer !== null; answer = await connection.answer()) {
    answers.push(answer)
    if (answers.length === count) break
  }
  await saying
  return answers
}

test('10,000 pipelined requests that need no waiting are all answered, in their order', async () => {
  const answers = await pipelined(configuration, many)
  expect(answers.length).toBe(many)
  expect(answers.findIndex(({ body }, n) => !body.includes(`"form${n}":`))).toBe(-1)
})

// Bun closes a connection on which a request arrives while the one before is being answered (RFC 9112 section 9.3.2 lets
// a server; browsers and proxies do not pipeline). What counts: nothing that was acknowledged is lost or stored twice.
test('10,000 pipelined submissions: what was answered is stored, in order, and nothing twice', async () => {
  const storedNow = async () => (await box.submissions()).filter(({ fields }) => 'pipelined' in fields)
  const answers = await pipelined(form, many)
  const acknowledged = answers.map(({ body }) => String(JSON.parse(body).submissionId))
  const stored = await storedNow()
  expect(acknowledged.filter((id) => !stored.some(({ submissionId }) => submissionId === id))).toEqual([])
  await eventually('the first is stored, answered or not', async () => (await storedNow()).length > 0)
  const numbers = (await storedNow()).map(({ fields }) => fields.pipelined)
  expect(numbers).toEqual(numbers.map((_, n) => n))
})

test('1,000 submissions, one after the other on one connection, are all stored once', async () => {
  const sequential = 1000
  using connection = await RawConnection.open(box.port)
  const ids: string[] = []
  for (let n = 0; n < sequential; n++) {
    await connection.say(form(n, 'in_turn'))
    ids.push(String(JSON.parse((await connection.answer())?.body ?? '{}').submissionId))
  }
  const stored = (await box.submissions()).filter(({ fields }) => 'in_turn' in fields)
  expect(ids.length).toBe(sequential)
  expect(stored.map(({ submissionId }) => submissionId)).toEqual(ids)
})

test('hundreds of connections that say nothing keep nobody else from being answered', async () => {
  const silent = await Promise.all(Array.from({ length: connections }, () => RawConnection.open(box.port)))
  expect((await box.send(formRequest())).status).toBe(200)
  for (const connection of silent) connection[Symbol.dispose]()
})

test('of hundreds of connections with hundreds of requests at once, some have all answered, and others are ended by 429', async () => {
  const each = 500
  const requests = Array.from({ length: each }, (_, n) => configuration(n)).join('')
  const crowd = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open(box.port)))
  const statuses = await Promise.all(crowd.map((connection) => statusesOf(connection, requests, each)))
  expect(statuses.some((all) => all.length === each && all.every((status) => status === 200))).toBe(true)
  expect(statuses.some((all) => all.at(-1) === 429)).toBe(true)
  await eventually('it is counted', async () => {
    const { refusals } = JSON.parse((await box.run(['refusals', 'acme', '--json'])).stdout)
    return refusals.some(({ check }: { check: string }) => check === 'pipelined_requests')
  })
})

async function statusesOf(connection: RawConnection, requests: string, count: number): Promise<number[]> {
  const saying = connection.say(requests)
  const statuses: number[] = []
  for (let answer = await connection.answer(); answer !== null; answer = await connection.answer()) {
    statuses.push(answer.status)
    if (statuses.length === count) break
  }
  await saying
  connection[Symbol.dispose]()
  return statuses
}
