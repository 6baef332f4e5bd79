import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { aForm, aSite } from '../harness/a-site.ts'
import { comparedTables, rowsOf } from '../harness/compared-tables.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { become, becomeNode, leads } from './harness/cluster-node.ts'
import { mayBeBusy, nothingAcknowledged, startLoad } from './harness/load.ts'
import { expectIntact, expectPromisesKept } from './harness/promises-kept.ts'
import { trackedLink } from './harness/requests.ts'

let postgres: Postgres
let url: string
let sql: SQL
beforeAll(async () => {
  postgres = await startPostgres()
  await builtExecutable()
}, buildMsMax)
beforeEach(async () => {
  url = await postgres.newDatabase()
  sql = new SQL({ url, max: 1 })
})
afterEach(() => sql.close())
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
})

/** Between two requests of visitors who stay while much else happens: the machine has more to do. */
const pauseMs = 60

const site = aSite({ files: { 'pages/launch.html': 'Hello' }, forms: [aForm()] })

/** @param founder has the store of both */
const becomes = (box: BinaryBox, node: string, founder = box): void =>
  becomeNode(box, { url, node, store: `file://${founder.dir}/store` })

const intakeIsEmpty = async (): Promise<boolean> => {
  const [row] = await sql<{ waiting: number }[]>`SELECT count(*)::integer AS waiting FROM intake`
  return row?.waiting === 0
}

test('a box with records becomes a cluster of one, and holds what it acknowledged when it is killed under load', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  const link = await trackedLink(box)
  becomes(box, 'a')
  const acknowledged = nothingAcknowledged()
  for (const requests of [50, 200, 100]) {
    await using server = await box.serve()
    const load = startLoad({ server, link, acknowledged, mayRefuse: mayBeBusy })
    await load.reached(requests)
    server.signal('SIGKILL')
    await server.ended()
    await load.stop()
  }
  await using last = await box.serve()
  await eventually('the node leads again', () => leads(box))
  await eventually('the intake is empty', intakeIsEmpty)
  await expectPromisesKept(box, acknowledged)
  expectIntact(box)
  await last.stop()
  box.configure('cluster', {})
  const alone = await box.run(['serve'])
  expect({ status: alone.status, stderr: alone.stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('This data folder belongs to a cluster'),
  })
})

test('a second node captures beside the first, follows it, takes over when it is killed, and the first comes back', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  const link = await trackedLink(box)
  becomes(box, 'a')
  const founding = await box.serve()
  await eventually('the first leads', () => leads(box))
  founding.signal('SIGTERM')
  await founding.ended()
  await using other = await box.copy()
  becomes(other, 'b', box)
  const acknowledged = nothingAcknowledged()
  await using first = await box.serve()
  await eventually('the first leads again', () => leads(box))
  await using second = await other.serve()
  const loads = [first, second].map((server) =>
    startLoad({ server, link, acknowledged, pauseMs, mayRefuse: mayBeBusy }),
  )
  await Promise.all(loads.map((load) => load.reached(200)))
  await become(other, { a: 'leads', b: 'follows' })
  expect((await other.run(['export', 'acme', 'events'])).stderr).toContain('run this command on "a"')
  // Its exit status is another where a node is late for a moment.
  await eventually('the command says who leads and who follows', async () => {
    const { nodes } = JSON.parse((await box.run(['cluster', 'status', '--json'])).stdout) as {
      nodes: { name: string; state: string }[]
    }
    return nodes.map(({ name, state }) => `${name} ${state}`).join() === 'a leads,b follows'
  })
  first.signal('SIGKILL')
  await first.ended()
  await loads[0]?.stop()
  await eventually('the second leads', () => leads(other))
  expect(JSON.parse((await other.run(['cluster', 'status', '--json'])).stdout)).toMatchObject({ leader: 'b' })

  changeUnshared(box)
  await using back = await box.serve()
  const load = startLoad({ server: back, link, acknowledged, pauseMs, mayRefuse: mayBeBusy })
  await back.says('stderr', /The cluster has all that its old database held/)
  await load.reached(50)
  for (const running of [load, loads[1]]) await running?.stop()
  await eventually('the intake is empty', intakeIsEmpty)
  await become(box, { a: 'follows', b: 'leads' })
  await expectPromisesKept(other, acknowledged)
  for (const node of [box, other]) expectIntact(node)
  await eventually('both have the same rows', async () => haveSameRows(other, box))
  expect(readdirSync(join(box.dataDir, 'astray'))).toEqual([])

  await second.stop()
  await eventually('the first leads again', () => leads(box))
})

/** What a leader that dies under load mostly leaves: a change that is in no link. The triggers of its folder note it. */
function changeUnshared({ databaseFile }: BinaryBox): void {
  using database = new Database(databaseFile)
  database.run('UPDATE account SET row = row')
}

function haveSameRows(one: BinaryBox, other: BinaryBox): boolean {
  using first = new Database(one.databaseFile, { readonly: true })
  using second = new Database(other.databaseFile, { readonly: true })
  return comparedTables.every((table) => Bun.deepEquals(rowsOf(first, table), rowsOf(second, table)))
}
