import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { downloadFile } from '../../../src/cli/upgrade/candidate.ts'
import { SmallVolume } from '../../binary/harness/small-volume.ts'

const megabyte = new Uint8Array(1024 * 1024)
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(new Blob([megabyte, megabyte, megabyte])),
})

afterEach(() => server.stop(true))

if (SmallVolume.isPossible('a download without room')) {
  test('a download that the disk has no room for ends, with what the disk says', async () => {
    using volume = SmallVolume.mount(1)
    const download = downloadFile(`http://127.0.0.1:${server.port}/capture`, join(volume.dir, 'capture'))
    await expect(download).rejects.toMatchObject({ code: 'ENOSPC' })
  })
}
