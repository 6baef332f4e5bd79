// docs/files.md, "Malware": each file goes to clamd first (INSTREAM of clamd(8)).
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { refusalOf } from '../harness/http.ts'
import { pdf, tokenOf, uploadRequest } from '../harness/visitor-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'capture-clamd-'))
const socket = join(dir, 'clamd.ctl')
let box: Box
let daemon: { stop(): void } | null = null

beforeAll(async () => {
  const forms = [aForm({ files: { cv: { types: ['pdf'], max: '2MB' } } })]
  box = await Box.start([aSite({ forms })], { limits: { clamd: socket } })
}, boxStartMsMax)
afterEach(() => {
  daemon?.stop()
  daemon = null
  rmSync(socket, { force: true })
})
afterAll(async () => {
  rmSync(dir, { recursive: true })
  box.complaints.length = 0
  await box.stop()
})

/** A daemon that reads a whole stream and finds what holds the word EICAR. */
function startDaemon(): { scanned: Buffer[] } {
  const scanned: Buffer[] = []
  const received = new WeakMap<object, Buffer>()
  daemon = Bun.listen({
    unix: socket,
    socket: {
      data(client, bytes) {
        const all = Buffer.concat([received.get(client) ?? Buffer.alloc(0), bytes])
        received.set(client, all)
        const content = streamIn(all)
        if (content === null) return
        scanned.push(content)
        client.end(content.includes('EICAR') ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0')
      },
    },
  })
  return { scanned }
}

/** The pieces behind the command, once the empty one has come. */
function streamIn(bytes: Buffer): Buffer | null {
  const pieces: Buffer[] = []
  for (let at = 'zINSTREAM\0'.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}

const waiting = () => readdirSync(join(box.dir, 'data/waiting-files'))

test('a clean file is taken once clamd has seen all of it', async () => {
  const { scanned } = startDaemon()
  const large = pdf('x'.repeat(1_500_000))
  tokenOf(await box.send(uploadRequest(large)))
  expect(scanned.map((content) => content.equals(large))).toEqual([true])
})

test('a file with malware is refused, and nothing of it stays', async () => {
  startDaemon()
  const before = waiting()
  expect(refusalOf(await box.send(uploadRequest(pdf('EICAR'))))).toEqual({ status: 422, code: 'file_infected' })
  expect(waiting()).toEqual(before)
})

test('while clamd is away no file is taken', async () => {
  const before = waiting()
  const answer = await box.send(uploadRequest())
  expect(refusalOf(answer)).toEqual({ status: 503, code: 'unavailable' })
  expect(answer.headers.get('retry-after')).toBe('30')
  expect(waiting()).toEqual(before)
})
