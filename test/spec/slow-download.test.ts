// docs/running.md, "Limits": a slow client gets the whole file; and so it does of a page.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { distinctBytes } from '../harness/visits.ts'

/** More than the sockets' buffers hold, so that the service waits for the client. */
const film = distinctBytes(24 * 1024 * 1024)
/** As large as a page may be. */
const longRead = distinctBytes(10 * 1024 * 1024).map((byte) => 97 + (byte % 26))
/** The service closes a connection that was silent for 15 seconds. */
const pauseMs = 18_000

let box: Box

beforeAll(async () => {
  const files = { 'files/film.bin': film, 'files/draft.bin': film }
  const pages = { 'pages/long.html': longRead, 'pages/draft.html': longRead }
  box = await Box.start([aSite({ files: { ...files, ...pages }, previews: ['files/draft.bin', 'pages/draft.html'] })])
}, boxStartMsMax)

afterAll(() => box.stop())

/** Reads a body that stands still after its first bytes; answers the hash of what came. */
async function readSlowly(host: string, path: string): Promise<{ status: string; sha256: string }> {
  const socket = connect({ host: '127.0.0.1', port: box.port })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const chunks: Buffer[] = []
  let paused = false
  for await (const chunk of socket) {
    chunks.push(chunk)
    if (paused) continue
    paused = true
    // The wait is what the test is about: nothing can be seen to happen meanwhile.
    await Bun.sleep(pauseMs)
  }
  const whole = Buffer.concat(chunks)
  const bodyAt = whole.indexOf('\r\n\r\n') + 4
  return {
    status: whole.subarray(0, whole.indexOf('\r\n')).toString(),
    sha256: createHash('sha256').update(whole.subarray(bodyAt)).digest('hex'),
  }
}

const whole = (bytes: Uint8Array) => ({
  status: 'HTTP/1.1 200 OK',
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

test.concurrent('a client that stands still for longer than the idle timeout gets the whole file, live or previewed', async () => {
  const keys = await BoxKeys.of(box)
  const previewPath = keys.previewPath(`/_preview/file/${keys.assetId('files/draft.bin')}`)
  const both = await Promise.all([
    readSlowly('go.acme.test', '/_svc/file/film.bin'),
    readSlowly('preview.localhost', previewPath),
  ])
  expect(both).toEqual([whole(film), whole(film)])
})

test.concurrent('and the whole page, live or previewed', async () => {
  const keys = await BoxKeys.of(box)
  const both = await Promise.all([
    readSlowly('go.acme.test', '/long'),
    readSlowly('preview.localhost', keys.previewPath(`/_preview/${keys.assetId('pages/draft.html')}`)),
  ])
  expect(both).toEqual([whole(longRead), whole(longRead)])
})
