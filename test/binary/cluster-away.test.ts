import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { spooledIn } from '../../src/storage/spool/spool-folder.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { ownPort } from '../harness/loopback.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { becomeNode, leads } from './harness/cluster-node.ts'
import { mayBeBusy, nothingAcknowledged, startLoad } from './harness/load.ts'
import { expectPromisesKept } from './harness/promises-kept.ts'
import { trackedLink } from './harness/requests.ts'

// A node whose cluster's database is away (docs/cluster.md, "Failures").

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
  await builtExecutable()
}, buildMsMax)
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
})

const site = aSite({ files: { 'pages/launch.html': 'Hello' }, forms: [aForm()] })

async function makeNode(url: string, keys: Record<string, string> = {}): Promise<BinaryBox> {
  const box = await BinaryBox.make()
  await box.apply(site)
  becomeNode(box, { url, node: 'a', store: `file://${box.dir}/store`, ...keys })
  return box
}

async function intakeIsEmpty(url: string): Promise<boolean> {
  await using sql = new SQL({ url, max: 1 })
  const [row] = await sql<{ waiting: number }[]>`SELECT count(*)::integer AS waiting FROM intake`
  return row?.waiting === 0
}

const isReady = async (box: BinaryBox, listen: string): Promise<boolean> =>
  (await box.run(['ready'], { CAPTURE_OPERATOR_LISTEN: listen })).status === 0

test('a node keeps what it captures, also when it is killed, and the cluster has all of it once', async () => {
  const url = await postgres.newDatabase()
  await using box = await makeNode(url)
  const link = await trackedLink(box)
  const acknowledged = nothingAcknowledged()
  const listen = `127.0.0.1:${ownPort()}`
  const start = () => box.serve({ CAPTURE_OPERATOR_LISTEN: listen })
  {
    await using server = await start()
    await eventually('the node leads', () => leads(box))
    const load = startLoad({ server, link, acknowledged, mayRefuse: mayBeBusy })
    await load.reached(100)
    await postgres.crash()
    await load.reached(400)
    expect(spooledIn(box.dataDir).waiting).toBeGreaterThan(0)
    expect(await isReady(box, listen)).toBe(true)
    server.signal('SIGKILL')
    await server.ended()
    await load.stop()
  }
  await using server = await start()
  const load = startLoad({ server, link, acknowledged })
  await load.reached(200)
  await postgres.start()
  await load.reached(400)
  await load.stop()
  await eventually('the spool is empty', async () => spooledIn(box.dataDir).waiting === 0)
  await eventually('the node leads again', () => leads(box))
  await eventually(
    'the leader has taken all of it',
    async () => (await intakeIsEmpty(url)) && (await box.submissions()).length >= acknowledged.submissionIds.length,
  )
  await expectPromisesKept(box, acknowledged)
})

test('a node that is told to refuse answers 503 while its database stands still, and is not ready', async () => {
  await using box = await makeNode(await postgres.newDatabase(), { when_away: 'refuse' })
  const listen = `127.0.0.1:${ownPort()}`
  await using server = await box.serve({ CAPTURE_OPERATOR_LISTEN: listen })
  await eventually('the node leads', () => leads(box))
  {
    using _ = postgres.frozen()
    expect((await server.send(formRequest())).status).toBe(503)
    expect(await isReady(box, listen)).toBe(false)
  }
  await eventually('the node is ready again', () => isReady(box, listen))
  expect(submissionIdOf(await server.send(formRequest()))).not.toBe('')
})
