import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { membershipOf } from '../../src/cli/serve/control-socket.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { startValkey, type Valkey } from '../harness/valkey.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { becomeNode, joins } from './harness/cluster-node.ts'
import type { RunningServer } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'

// Budgets over the nodes of a cluster (docs/cluster.md, "Budgets").

let postgres: Postgres
let valkey: Valkey
let store: string
beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'capture-store-'))
  ;[postgres, valkey] = await Promise.all([startPostgres(), startValkey({ password: 'hidden' })])
  await builtExecutable()
}, buildMsMax)
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), valkey[Symbol.asyncDispose]()])
  rmSync(store, { recursive: true })
})

const site = aSite({ files: { 'pages/launch.html': 'Hello' }, forms: [aForm()] })

function becomesNode(box: BinaryBox, node: string, url: string): void {
  // So long that no token comes back within the test.
  box.configure('limits', { form_per_ip: 30, window_seconds: 100_000, min_free_mb: 0 })
  becomeNode(box, { url, node, store: `file://${store}`, budgets: valkey.url })
}

const served = async (server: RunningServer): Promise<boolean> =>
  (await server.send(getRequest('/launch'))).status === 200

async function acceptedBy(server: RunningServer): Promise<number> {
  for (let accepted = 0; ; accepted++) if ((await server.send(formRequest())).status === 429) return accepted
}

test('an address has one budget on two nodes; while its server is away, each node grants half', async () => {
  const url = await postgres.newDatabase()
  await using first = await BinaryBox.make()
  await using second = await BinaryBox.make()
  await first.apply(site)
  becomesNode(first, 'a', url)
  becomesNode(second, 'b', url)
  await using a = await first.serve()
  await joins(second, url)
  await using b = await second.serve()
  await eventually('the second node has the form', () => served(b))
  expect((await b.send(formRequest())).status).toBe(200)
  expect((await acceptedBy(a)) + (await acceptedBy(b))).toBe(29)
  expect((await first.run(['doctor'])).stdout).not.toContain('budgets')
  for (const { dataDir } of [first, second])
    await eventually('each node knows of both', async () => (await membershipOf(dataDir))?.status?.nodes.length === 2)
  await valkey.crash()
  expect([await acceptedBy(a), await acceptedBy(b)]).toEqual([15, 15])
  expect((await first.run(['doctor'])).stdout).toContain('The server of budgets cannot be used')
  await valkey.start()
  await b.says('stderr', /budgets hold over all nodes again/)
})
