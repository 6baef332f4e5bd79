import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { refusalOf } from '../harness/http.ts'
import { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'
import { SmallVolume } from './harness/small-volume.ts'

// min_free_mb (docs/running.md, "When the disk fills"): with less free disk page views and then events are no longer
// stored, so that submissions still are.

const megabyte = 1024 * 1024
const minFreeMb = 6

const isPossible = SmallVolume.isPossible('the test of min_free_mb')

test.skipIf(!isPossible)(
  'as room gets short page views are dropped and counted, then events are refused, and submissions go on',
  async () => {
    using volume = SmallVolume.mount(12)
    await using box = await BinaryBox.make({ dataDir: join(volume.dir, 'data'), minFreeMb })
    await box.apply(aSite({ files: { 'pages/launch.html': 'Hello' } }))
    const server = await box.serve()
    const storedViews = async () => (await box.events()).filter(({ event }) => event === '$pageview').length

    await view(server)
    await eventually('a page view is stored', async () => (await storedViews()) === 1)

    volume.fill(volume.freeBytes() - (minFreeMb - 1) * megabyte)
    const isCounted = async () => {
      await view(server)
      return (await droppedViews(box)) > 0
    }
    await eventually('a page view is dropped', isCounted)
    const before = await storedViews()
    await view(server)
    expect((await server.send(eventRequest())).status).toBe(202)
    expect((await server.send(formRequest())).status).toBe(200)
    expect(await storedViews()).toBe(before)

    volume.fill(volume.freeBytes() - (minFreeMb / 2 - 1) * megabyte)
    const isRefused = async () => (await server.send(eventRequest())).status === 503
    await eventually('events are refused', isRefused)
    const refused = await server.send(eventRequest())
    expect(refusalOf(refused)).toEqual({ status: 503, code: 'unavailable' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await server.send(formRequest())).status).toBe(200)
    await view(server)

    volume.free()
    const isAccepted = async () => (await server.send(eventRequest())).status === 202
    await eventually('events are stored again', isAccepted)
    await view(server)
    await eventually('page views are stored again', async () => (await storedViews()) > before)
    const said = [...server.stderr.matchAll(/"message":"((?:Page views|Events) are [^:]+)/g)].map(([, words]) => words)
    expect(said).toEqual([
      'Page views are no longer stored',
      'Events are no longer stored',
      'Page views are stored again',
      'Events are stored again',
    ])
  },
)

/** A page is served, whatever becomes of its view. */
async function view(server: RunningServer): Promise<void> {
  expect((await server.send(getRequest('/launch'))).status).toBe(200)
}

async function droppedViews(box: BinaryBox): Promise<number> {
  const told: unknown = JSON.parse(await box.done(['refusals', 'acme', '--json']))
  const { refusals } = told as { refusals: { endpoint: string; check: string; count: number }[] }
  return refusals.find(({ endpoint, check }) => endpoint === 'page' && check === 'storage')?.count ?? 0
}
