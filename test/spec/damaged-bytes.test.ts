// A byte of something published changes under a running server: what is damaged is never sent (docs/running.md).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { visit } from '../harness/visits.ts'

const page = `<h1>Spring</h1>${'<p>An offer for everybody.</p>'.repeat(40)}`
const compressed = page.replace('Spring', 'Summer')
const held = page.replace('Spring', 'Autumn')
const image = 'an image'
const large = new Uint8Array(3_000_000).map((_, at) => (at * 7 + (at >> 8)) % 251)
const site = aSite({
  files: {
    'pages/page.html': page,
    'pages/compressed.html': compressed,
    'pages/held.html': held,
    'img/a.png': image,
    'files/large.bin': large,
  },
})
let box: Box

beforeAll(async () => {
  box = await Box.start([site])
}, boxStartMsMax)

afterAll(async () => {
  // Stopping fails a test whose service logged errors; here they are what is looked for, each of them once.
  const logged = await box.stop().then(
    () => '',
    (error: Error) => error.message,
  )
  expect(logged.match(/is damaged in the data folder and not served: run capture doctor --deep/g)).toHaveLength(4)
})

function flipByte(content: string | Uint8Array, suffix = ''): void {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const file = join(box.dir, 'data/assets', sha256.slice(0, 2), sha256 + suffix)
  const bytes = readFileSync(file)
  bytes[5] = (bytes[5] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

test.each([
  ['/page', page],
  ['/_svc/img/a.png', image],
])(
  '%s, damaged before anybody asked, is answered 503, and sent again once it is stored again',
  async (path, content) => {
    flipByte(content)
    expect((await box.send(visit(path))).status).toBe(503)
    expect((await box.send(visit(path))).status).toBe(503)
    await box.apply(site)
    expect(await box.send(visit(path))).toMatchObject({ status: 200, text: content })
  },
)

test('a large file that was sent before is answered 503 once a byte has changed, in parts too', async () => {
  const path = '/_svc/file/large.bin'
  expect((await box.send(visit(path))).status).toBe(200)
  flipByte(large)
  expect((await box.send(visit(path))).status).toBe(503)
  expect((await box.send(visit(path, { headers: { range: 'bytes=100-200' } }))).status).toBe(503)
  await box.apply(site)
  expect((await box.send(visit(path))).status).toBe(200)
})

test('of a damaged compressed form the original is sent', async () => {
  flipByte(compressed, '.br')
  const answer = await box.send(visit('/compressed', { headers: { 'accept-encoding': 'br' } }))
  expect(answer).toMatchObject({ status: 200, text: compressed })
  expect(answer.headers.get('content-encoding')).toBeNull()
})

test('what was sent before, and is held in memory, goes on being sent as it was published', async () => {
  expect(await box.send(visit('/held'))).toMatchObject({ status: 200, text: held })
  flipByte(held)
  expect(await box.send(visit('/held'))).toMatchObject({ status: 200, text: held })
})
