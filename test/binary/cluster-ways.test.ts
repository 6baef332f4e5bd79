import { Database, SQLiteError } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { silentMsMax } from '../../src/cluster/cluster-log.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { comparedTables, rowsOf } from '../harness/compared-tables.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { become, becomeNode, joins, leads } from './harness/cluster-node.ts'
import { getRequest, numberedForm } from './harness/requests.ts'

// How an operator moves the lead, brings an account, takes nodes out, and goes back to one box (docs/cluster.md).

let postgres: Postgres
let store: string
beforeAll(async () => {
  postgres = await startPostgres()
  store = mkdtempSync(join(tmpdir(), 'capture-store-'))
  await builtExecutable()
}, buildMsMax)
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(store, { recursive: true, force: true })
})

const site = aSite({ files: { 'pages/launch.html': 'Hello' }, forms: [aForm()] })

/** The tables in which two nodes differ; all, while one cannot be read, since it joins anew and swaps its database. */
function differences(one: BinaryBox, other: BinaryBox): readonly string[] {
  try {
    using first = new Database(one.databaseFile, { readonly: true })
    using second = new Database(other.databaseFile, { readonly: true })
    return comparedTables.filter((table) => !Bun.deepEquals(rowsOf(first, table), rowsOf(second, table)))
  } catch (error) {
    if (error instanceof SQLiteError) return comparedTables
    throw error
  }
}

/** A file with an account of another box. */
async function movedOut(): Promise<{ box: BinaryBox; file: string }> {
  const box = await BinaryBox.make()
  await box.apply(aSite({ account: 'umbra' }))
  await using server = await box.serve()
  for (const email of ['ada', 'bob'].map((name) => `${name}@example.test`))
    await server.send(formRequest({ account: 'umbra', fields: { email } }))
  await server.stop()
  const file = join(box.dir, 'umbra.capture')
  await box.done(['account', 'move', 'umbra', '--to', file])
  return { box, file }
}

test('the lead is handed over, an account moves in on all nodes, and the last node is a single box with everything', async () => {
  const url = await postgres.newDatabase()
  await using first = await BinaryBox.make()
  await using second = await BinaryBox.make()
  await first.apply(site)
  for (const [node, box] of Object.entries({ a: first, b: second }))
    becomeNode(box, { url, node, store: `file://${store}` })
  const leader = await first.serve()
  await joins(second, url)
  const follower = await second.serve()
  await become(first, { a: 'leads', b: 'follows' })
  await leader.send(numberedForm(1))

  expect((await first.run(['cluster', 'lead', 'c'])).stderr).toContain('The cluster has no node "c"')
  expect(await first.done(['cluster', 'lead', 'b'])).toBe('"b" leads, in place of "a".\n')
  expect(JSON.parse(await first.done(['cluster', 'lead', 'b', '--json']))).toEqual({ leader: 'b', previous: 'b' })
  await become(first, { a: 'follows', b: 'leads' })
  await leader.send(numberedForm(2))

  const moved = await movedOut()
  await using _box = moved.box
  await second.done(['account', 'move', 'umbra', '--from', moved.file])
  await follower.send(numberedForm(3))
  await eventually('both have the same', async () => differences(first, second).length === 0)

  expect((await second.run(['cluster', 'leave'])).stderr).toContain('is in use by process')
  await follower.stop()
  await become(first, { a: 'leads', b: 'silent' })
  expect((await stopped(first)).stderr).toContain('"b" said nothing for some time')
  await using _again = await first.serve()
  await eventually('the first leads again', () => leads(first))
  expect(await second.done(['cluster', 'leave'])).toContain('"b" has left the cluster, which "a" leads.')
  const { nodes } = JSON.parse(await first.done(['cluster', 'status', '--json']))
  expect(nodes).toMatchObject([{ name: 'a', state: 'leads' }])
  await _again.send(numberedForm(4))

  const left = await stopped(first)
  expect([left.status, left.stdout]).toEqual([0, expect.stringContaining('of "a", is a single box with everything')])
  expect((await first.run(['cluster', 'leave'])).stderr).toContain('belongs to no cluster')
  expect((await first.run(['cluster', 'status'])).stderr).toContain('The cluster in this database is over')
  expect((await second.run(['serve'])).stderr).toContain('The cluster in this database is over: its node "a"')
  first.configure('cluster', {})
  await using single = await first.serve()
  expect((await single.send(numberedForm(5))).status).toBe(200)
  expect((await single.send(getRequest('/launch'))).text).toBe('Hello')
  expect(await first.submissions()).toHaveLength(5)
  expect((await first.done(['export', 'umbra', 'submissions'])).trim().split('\n')).toHaveLength(2)
  expect((await first.run(['doctor'])).status).toBe(0)
})

test('a node becomes a single box with everything when PostgreSQL has lost links that all nodes had applied', async () => {
  const url = await postgres.newDatabase()
  await using first = await BinaryBox.make()
  await using second = await BinaryBox.make()
  await first.apply(site)
  for (const [node, box] of Object.entries({ a: first, b: second }))
    becomeNode(box, { url, node, store: `file://${store}` })
  const leader = await first.serve()
  await joins(second, url)
  const follower = await second.serve()
  await become(first, { a: 'leads', b: 'follows' })
  await leader.send(numberedForm(1))
  await using sql = new SQL({ url, max: 1 })
  await eventually('the leader has it', async () => (await sql`SELECT 1 FROM intake`).length === 0)
  await eventually('both have the same', async () => differences(first, second).length === 0)
  await eventually('all links are applied', async () => {
    const behind = await sql`SELECT 1 FROM node WHERE applied < (SELECT max(number) FROM link)`
    return behind.length === 0
  })
  for (const server of [follower, leader]) server.signal('SIGKILL')
  for (const server of [follower, leader]) await server.ended()
  await eventually('nobody leads', async () => {
    const led = await sql`SELECT 1 FROM lease WHERE until > clock_timestamp()`
    return led.length === 0
  })
  await sql`DELETE FROM link WHERE number = (SELECT max(number) FROM link)`
  const back = [await first.serve(), await second.serve()]
  await become(first, { a: 'astray', b: 'astray' })
  await back[1]?.send(numberedForm(2))
  expect((await second.run(['doctor'])).stdout).toContain('PostgreSQL has lost what it had acknowledged')
  for (const server of back) await server.stop()
  await eventually('both are silent', async () => {
    const heard = await sql`SELECT 1 FROM node WHERE seen_at > clock_timestamp() - ${silentMsMax} * interval '1 ms'`
    return heard.length === 0
  })
  expect((await first.run(['cluster', 'leave', '--alone'])).stdout).toContain('of "a", is a single box with everything')
  first.configure('cluster', {})
  await using _single = await first.serve()
  expect(await first.submissions()).toHaveLength(2)
})

/** What `cluster leave` says once the service of the node has stopped, whichever process that is. */
async function stopped(box: BinaryBox) {
  const pid = box.servingPid()
  if (pid !== null) process.kill(pid, 'SIGTERM')
  await eventually('the service has stopped', async () => box.servingPid() === null)
  return box.run(['cluster', 'leave'])
}
