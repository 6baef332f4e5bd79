import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite, writeSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { type Acknowledged, mayBeBusy, nothingAcknowledged, startLoad } from './harness/load.ts'
import type { RunningServer } from './harness/program.ts'
import { expectIntact, expectPromisesKept } from './harness/promises-kept.ts'
import { getRequest, trackedLink } from './harness/requests.ts'

const kills = 6
const applyKills = 5
/** About as long as an apply of the test's site takes. */
const applyMsMax = 150
/** The service is killed when so many requests have been acknowledged, at random, and up to so much later. */
const requestsMax = 300
const laterMsMax = 20

test(`killed ${kills} times under load, it holds everything that it acknowledged, once`, async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite({ files: { 'pages/launch.html': 'Hello' } }))
  const link = await trackedLink(box)
  const acknowledged = nothingAcknowledged()
  for (let kill = 0; kill < kills; kill++) {
    await using server = await box.serve()
    const load = startLoad({ server, link, acknowledged, mayRefuse: mayBeBusy })
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
})

test(`an apply that is killed ${applyKills} times is published whole or not at all, and is completed by the next`, async () => {
  await using box = await BinaryBox.make()
  const before = aSite({ files: pagesSaying('before') })
  const after = aSite({ files: pagesSaying('after') })
  const folder = join(box.dir, 'after')
  writeSite(folder, after)
  await using server = await box.serve()
  for (let kill = 0; kill < applyKills; kill++) {
    await box.apply(before)
    await using applying = box.start(['apply', folder])
    await Bun.sleep(Math.random() * applyMsMax)
    applying.signal('SIGKILL')
    await applying.ended()
    await eventually('every page is of one version', async () => (await versions(server)).size === 1)
  }
  await box.done(['apply', folder])
  const isWhole = async () => [...(await versions(server))].join() === 'after'
  await eventually('every page is of the second version', isWhole)
  expectIntact(box)
})

const pageNames = Array.from({ length: 40 }, (_, index) => `page-${index}`)

const pagesSaying = (text: string) => Object.fromEntries(pageNames.map((name) => [`pages/${name}.html`, text]))

/** What all the pages say. */
async function versions(server: RunningServer): Promise<Set<string>> {
  const answers = await Promise.all(pageNames.map((name) => server.send(getRequest(`/${name}`))))
  return new Set(answers.map(({ text }) => text))
}

const requestCount = ({ submissionIds, batches, clickDeviceIds }: Acknowledged): number =>
  submissionIds.length + batches.size + clickDeviceIds.length
