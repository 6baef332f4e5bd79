import { beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { buildMsMax, builtExecutable } from './harness/executable.ts'
import { type Acknowledged, nothingAcknowledged, startLoad } from './harness/load.ts'
import { expectIntact, expectPromisesKept } from './harness/promises-kept.ts'
import { trackedLink } from './harness/requests.ts'

const kills = 24
/** The service is killed when so many requests have been acknowledged, at random, and up to so much later. */
const requestsMax = 300
const laterMsMax = 20
const testMsMax = 120_000

beforeAll(async () => {
  await builtExecutable()
}, buildMsMax)

test(
  `killed ${kills} times under load, it holds everything that it acknowledged, once`,
  async () => {
    await using box = await BinaryBox.make()
    await box.apply(aSite({ files: { 'pages/launch.html': 'Hello' } }))
    const link = await trackedLink(box)
    const acknowledged = nothingAcknowledged()
    for (let kill = 0; kill < kills; kill++) {
      await using server = await box.serve()
      const load = startLoad({ server, link, acknowledged })
      await load.reached(1 + Math.floor(Math.random() * requestsMax))
      await Bun.sleep(Math.random() * laterMsMax)
      server.signal('SIGKILL')
      expect(await server.ended()).toMatchObject({ signal: 'SIGKILL' })
      await load.stop()
    }
    expect(requestCount(acknowledged)).toBeGreaterThanOrEqual(kills)
    await using _last = await box.serve()
    await expectPromisesKept(box, acknowledged)
    expectIntact(box)
  },
  testMsMax,
)

const requestCount = ({ submissionIds, batches, clickDeviceIds }: Acknowledged): number =>
  submissionIds.length + batches.size + clickDeviceIds.length
