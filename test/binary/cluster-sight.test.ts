import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { aForm, aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { parseExposition } from '../harness/exposition.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { becomeNode, joins } from './harness/cluster-node.ts'
import type { RunningServer } from './harness/program.ts'
import { numberedForm } from './harness/requests.ts'

// What an operator sees of a cluster (docs/cluster.md): one pair of nodes, and at the end, what is said of one that died.

let postgres: Postgres
let url: string
let first: Node
let second: Node

interface Node {
  box: BinaryBox
  server: RunningServer
  /** At `[operator] listen`. */
  ask(path: string): Promise<{ status: number; text: string }>
}

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.newDatabase()
  const boxes = await Promise.all([BinaryBox.make(), BinaryBox.make()])
  const [a, b] = boxes
  await a.apply(aSite({ files: { 'pages/launch.html': 'Hello' }, forms: [aForm()] }))
  for (const [index, box] of boxes.entries())
    becomeNode(box, { url, node: ['a', 'b'][index] ?? '', store: `file://${a.dir}/store` })
  expect((await a.run(['cluster', 'status'])).stdout).toContain('No node belongs to the cluster yet')
  first = await served(a)
  await joins(b, url)
  second = await served(b)
  await eventually(
    'both have said what they are',
    async () => (await metric(second, 'capture_cluster_nodes', 'follows')) === 1,
  )
}, buildMsMax)

afterAll(async () => {
  await first.box[Symbol.asyncDispose]()
  await second.box[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

async function served(box: BinaryBox): Promise<Node> {
  const server = await box.serve({ CAPTURE_OPERATOR_LISTEN: '127.0.0.1:0' })
  const [, port] = await server.says('stderr', /"Listening for the operator\.".*"port":(\d+)/)
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  return { box, server, ask }
}

/** The value of a metric; of one by state, that of a state. */
async function metric({ ask }: Node, name: string, state?: string): Promise<number | undefined> {
  const samples = parseExposition((await ask('/metrics')).text).get(name)?.samples ?? []
  return samples.find(({ labels }) => labels.state === state)?.value
}

async function examined({ box }: Node): Promise<{ check: string; status: string; found: string }[]> {
  return JSON.parse((await box.run(['doctor', '--json'])).stdout).checks
}

describe('a node', () => {
  test('says in its metrics who leads, and how far it is', async () => {
    for (const [node, leads] of [
      [first, 1],
      [second, 0],
    ] as const) {
      expect(await metric(node, 'capture_cluster_leads')).toBe(leads)
      expect(await metric(node, 'capture_cluster_nodes', 'leads')).toBe(1)
      expect(await metric(node, 'capture_cluster_nodes', 'silent')).toBe(0)
      expect(await metric(node, 'capture_cluster_database_up')).toBe(1)
      expect(Math.abs((await metric(node, 'capture_cluster_clock_skew_seconds')) ?? 99)).toBeLessThan(5)
    }
    expect(await metric(second, 'capture_cluster_links')).toBeGreaterThan(0)
  })

  test('is examined with its cluster, whose store has what it has not fetched yet', async () => {
    const checks = await examined(second)
    const found = (about: RegExp) => checks.find(({ found }) => about.test(found))
    expect(found(/^"a" leads 2 nodes/)).toMatchObject({ check: 'cluster', status: 'ok' })
    expect(found(/on this machine/)).toMatchObject({ check: 'cluster', status: 'ok' })
    expect(found(/fsync is off/)).toMatchObject({ check: 'cluster', status: 'warning' })
    expect(found(/its copy of the database is of/)).toMatchObject({ check: 'cluster', status: 'ok' })
    expect(found(/in the store of the cluster until they are asked for/)).toMatchObject({
      check: 'contents',
      status: 'ok',
    })
  })
})

/** The clock of the database is a minute ahead meanwhile: its own function is found before the built-in one. */
async function withLaterDatabase(work: () => Promise<void>): Promise<void> {
  const name = url.slice(url.lastIndexOf('/') + 1)
  const sql = new SQL({ url, max: 1 })
  const set = async (path: string): Promise<void> => {
    await sql.unsafe(`ALTER DATABASE ${name} SET search_path = ${path}`)
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND pid <> pg_backend_pid()`
  }
  await sql.unsafe(
    `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
     AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 minute' $$`,
  )
  try {
    await set('public, pg_catalog')
    await work()
  } finally {
    await set('public')
    await sql.close()
  }
}

test('the receipt of an erasure names a node only while it has not erased', async () => {
  const { box, server } = first
  const captured = async (): Promise<void> => {
    await server.send(numberedForm(1))
    await eventually('the leader has it', async () => (await box.submissions()).length === 1)
  }
  const erasure = async () => {
    const { stdout } = await box.run(['person', 'erase', 'acme', 'ada@example.test', '--yes', '--json'])
    return JSON.parse(stdout) as { erased: boolean; notYetOn?: string[] }
  }
  await captured()
  const { erased, notYetOn } = await erasure()
  expect({ erased, notYetOn }).toEqual({ erased: true, notYetOn: undefined })
  await captured()
  second.server.signal('SIGKILL')
  await second.server.ended()
  expect(await erasure()).toMatchObject({ erased: true, notYetOn: ['b'] })
  await eventually('it is known as silent', async () => (await metric(first, 'capture_cluster_nodes', 'silent')) === 1)
  const [unwell] = (await examined(first)).filter(({ check, found }) => check === 'cluster' && /silent/.test(found))
  expect(unwell?.found).toMatch(/^Node "b" is silent since /)
})

test('a node is not ready while its clock is far off that of the database', async () => {
  expect((await first.ask('/readyz')).status).toBe(200)
  await withLaterDatabase(async () => {
    await eventually('it is not ready', async () => (await first.ask('/readyz')).status === 503)
    expect((await first.ask('/readyz')).text).toMatch(/^The clock of this machine is \d+\.\d s behind that of/)
  })
  await eventually('it is ready again', async () => (await first.ask('/readyz')).status === 200)
})
