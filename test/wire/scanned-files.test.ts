// docs/files.md, "Malware": each file goes to clamd first (INSTREAM of clamd(8)).
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventually } from '../harness/eventually.ts'
import { type Answer, refusalOf } from '../harness/http.ts'
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

/** The answer to a file that cannot be scanned, once the service has logged why. */
async function refused(file = pdf()): Promise<Answer> {
  const answer = await box.send(uploadRequest(file))
  await eventually('the service logs it', async () => box.complaints.length > 0)
  expect(box.complaints.splice(0)).toEqual([expect.stringContaining('could not be scanned')])
  expect(refusalOf(answer)).toEqual({ status: 503, code: 'unavailable' })
  return answer
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

test('a daemon that answers before it has read all ends the look', async () => {
  const early = createServer((client) =>
    client
      .on('error', () => {})
      .end('INSTREAM size limit exceeded. ERROR\0')
      .pause(),
  )
  await new Promise<void>((resolve) => early.listen(socket, resolve))
  daemon = { stop: () => void early.close() }
  await refused(pdf('x'.repeat(1_900_000)))
})

test('while clamd is away no file is taken', async () => {
  const before = waiting()
  const answer = await refused()
  expect(answer.headers.get('retry-after')).toBe('30')
  expect(waiting()).toEqual(before)
})

const clamd = Bun.which('clamd')

/** ClamAV itself, with a signature of the test's own. */
async function startClamAv(program: string): Promise<void> {
  const database = join(dir, 'signatures')
  const config = join(dir, 'clamd.conf')
  mkdirSync(database)
  writeFileSync(join(database, 'test.ndb'), `Test.Malware:0:*:${Buffer.from('EICAR-TEST-FILE').toString('hex')}\n`)
  writeFileSync(
    config,
    `LocalSocket ${socket}\nDatabaseDirectory ${database}\nForeground yes\nStreamMaxLength 1M\nTemporaryDirectory ${dir}\n`,
  )
  const running = Bun.spawn([program, '--config-file', config], { stdout: 'ignore', stderr: 'ignore' })
  daemon = { stop: () => running.kill() }
  await eventually('clamd listens', async () => existsSync(socket))
}

test.skipIf(clamd === null)('ClamAV finds malware, lets other files pass, and says so beyond its limit', async () => {
  await startClamAv(clamd ?? '')
  tokenOf(await box.send(uploadRequest(pdf('harmless'))))
  const found = await box.send(uploadRequest(pdf('EICAR-TEST-FILE')))
  expect(refusalOf(found)).toEqual({ status: 422, code: 'file_infected' })
  await refused(pdf('x'.repeat(1_900_000)))
})
