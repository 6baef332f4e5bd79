// What a damaged data folder answers: 503 and a line in the log, never an empty page
// (docs/backup-and-restore.md, "Is the box sound?").
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { visit } from '../harness/visits.ts'

let box: Box

beforeAll(async () => {
  const files = { 'pages/one.html': 'one', 'img/a.png': 'image', 'files/a.pdf': 'file' }
  box = await Box.start([aSite({ files })])
  rmSync(join(box.dir, 'data/assets'), { recursive: true })
}, boxStartMsMax)

afterAll(async () => {
  // Stopping fails a test whose service logged errors; here they are what is looked for, each of them once.
  const logged = await box.stop().then(
    () => '',
    (error: Error) => error.message,
  )
  expect(logged.match(/is missing in the data folder: run capture doctor/g)).toHaveLength(3)
})

test.each(['/one', '/_svc/img/a.png', '/_svc/file/a.pdf'])(
  '%s, whose bytes are gone, is answered 503',
  async (path) => {
    expect((await box.send(visit(path))).status).toBe(503)
    expect((await box.send(visit(path))).status).toBe(503)
  },
)
