import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { refusalOf } from '../harness/http.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { diskFolder, ImmutableFiles } from './harness/immutable-files.ts'
import { mayBeBusy, nothingAcknowledged, startLoad } from './harness/load.ts'
import { expectIntact, expectPromisesKept } from './harness/promises-kept.ts'
import { getRequest, svgImage, trackedLink } from './harness/requests.ts'
import { SmallVolume } from './harness/small-volume.ts'

const site = aSite({ files: { 'pages/launch.html': 'Hello', 'img/dot.svg': svgImage } })

const canFreeze = ImmutableFiles.isPossible('the test of a database that turns read-only')
const canMount = SmallVolume.isPossible('the test of a read-only volume')

test.skipIf(!canFreeze)(
  'a database that turns read-only under load is answered with 503, and stored into again when it can be',
  async () => {
    const onDisk = mkdtempSync(join(diskFolder, 'capture-immutable-'))
    using _ = { [Symbol.dispose]: () => rmSync(onDisk, { recursive: true }) }
    await using box = await BinaryBox.make({ dataDir: join(onDisk, 'data') })
    await box.apply(site)
    const link = await trackedLink(box)
    const server = await box.serve()
    const acknowledged = nothingAcknowledged()
    const load = startLoad({ server, link, acknowledged, mayRefuse: mayBeBusy })
    await load.reached(100)
    {
      using _frozen = ImmutableFiles.make([box.databaseFile, `${box.databaseFile}-wal`])
      const isRefused = async () => (await server.send(formRequest())).status === 503
      await eventually('a submission is refused', isRefused)
      expect(refusalOf(await server.send(eventRequest()))).toEqual({ status: 503, code: 'unavailable' })
      expect((await server.send(link)).status).toBe(503)
      for (const path of ['/launch', '/_svc/img/dot.svg']) {
        expect([path, (await server.send(getRequest(path))).status]).toEqual([path, 200])
      }
    }
    const isStored = async () => (await server.send(formRequest())).status === 200
    await eventually('a submission is stored again', isStored)
    await load.stop()
    await expectPromisesKept(box, acknowledged)
    expectIntact(box)
  },
)

test.skipIf(!canMount)(
  'on a volume that is mounted read-only whatever would write says so, and all is well once it is writable again',
  async () => {
    using volume = SmallVolume.mount(12)
    await using box = await BinaryBox.make({ dataDir: join(volume.dir, 'data') })
    await box.apply(site)
    const server = await box.serve()
    await server.send(formRequest())
    await server.stop()
    volume.remount('ro')
    for (const command of [['serve'], ['apply', join(box.dir, 'sites/acme')]]) {
      const { status, stderr } = await box.run(command)
      expect(status).toBe(1)
      expect(stderr).toMatch(/read-only|cannot be written/)
      expect(stderr).not.toContain('internal error')
    }
    volume.remount('rw')
    expect(await box.submissions()).toHaveLength(1)
    await using again = await box.serve()
    expect((await again.send(formRequest())).status).toBe(200)
  },
)
