import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite, writeSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { SmallVolume } from './harness/small-volume.ts'

// docs/running.md, "When the disk fills": a folder that is published from elsewhere leaves room for what visitors send.

const megabyte = 1024 * 1024
const roomLeftMegabytes = 256
const isPossible = SmallVolume.isPossible('the test of room that an upload leaves')

test.skipIf(!isPossible)(
  'an upload that fits on the disk once, but not as stored again, is refused and leaves room',
  async () => {
    using volume = SmallVolume.mount(roomLeftMegabytes + 44)
    await using box = await BinaryBox.make({
      dataDir: join(volume.dir, 'data'),
      console: { listen: '127.0.0.1:0' },
    })
    await box.apply(aSite())
    const server = await box.serve()
    const port = Number(/Listening for the console\..*?"port":(\d+)/.exec(server.stderr)?.[1])
    const made = await box.run([
      'token',
      'create',
      '--name',
      'ci',
      '--account',
      'acme',
      '--scope',
      'publish',
      '--expires',
      '1d',
      '--json',
    ])
    const { token }: { token: string } = JSON.parse(made.stdout)

    const folder = join(box.dir, 'sent')
    writeSite(folder, aSite())
    const form = new FormData()
    form.append('files', new Blob([readFileSync(join(folder, 'site.toml'))]), 'acme/site.toml')
    form.append('files', new Blob([randomBytes(30 * megabyte)]), 'acme/files/film.mp4')
    const sent = await fetch(`http://127.0.0.1:${port}/api/v1/accounts/acme/apply`, {
      method: 'POST',
      headers: { host: 'localhost', authorization: `Bearer ${token}` },
      body: form,
    })
    expect([sent.status, await sent.text()]).toEqual([503, expect.stringContaining('no space for this upload')])
    expect(volume.freeBytes()).toBeGreaterThan(roomLeftMegabytes * megabyte)
    expect((await server.send(formRequest())).status).toBe(200)
  },
  300_000,
)
