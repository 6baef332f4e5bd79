// Whatever fails, a cluster keeps what it acknowledged, once, on all of its nodes (docs/cluster.md, "Failures").
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { median } from '../../bench/median.ts'
import { table } from '../../bench/report-table.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { filesHolding } from '../harness/files-holding.ts'
import { type Fault, faults } from './harness/cluster-faults.ts'
import { type Takeover, TrialCluster } from './harness/trial-cluster.ts'

/** FAULTS tries so many, drawn from those whose name is or contains FAULT; `each` tries each of them once. */
const { FAULTS = '', FAULT = '' } = process.env
const usually = ['the leader is killed when it adds a link and has not heard', 'PostgreSQL is killed']
const trialMsMax = 24 * 60 * 60_000
/** What is acknowledged before a fault. */
const requestsBefore = 40
const ada = 'ada.lovelace@customer.example'

let cluster: TrialCluster
beforeAll(async () => {
  await builtExecutable()
  cluster = await TrialCluster.start()
}, buildMsMax)
afterAll(async () => {
  if (FAULTS !== '') process.stderr.write(`${takeoversTable(cluster.takeovers)}\n`)
  await cluster[Symbol.asyncDispose]()
})

function chosen(): Fault[] {
  if (FAULTS === '') return faults.filter(({ name }) => usually.includes(name))
  const exact = faults.filter(({ name }) => name === FAULT)
  const named = exact.length > 0 ? exact : faults.filter(({ name }) => name.includes(FAULT))
  if (FAULTS === 'each') return named
  return Array.from({ length: Number(FAULTS) }, () => named[Math.floor(Math.random() * named.length)] ?? []).flat()
}

function takeoversTable(takeovers: readonly Takeover[]): string {
  const rows = [...Map.groupBy(takeovers, ({ fault }) => fault)].map(([fault, all]) => {
    const [leads, delivers] = [all.map(({ leadsMs }) => leadsMs), all.map(({ deliversMs }) => deliversMs)]
    return [
      fault,
      `${all.length}`,
      ...[leads, delivers].flatMap((of) => [seconds(median(of)), seconds(Math.max(...of))]),
    ]
  })
  return table(['The leader', 'Times', 'Another leads', 'at worst', 'It delivers', 'at worst'], rows)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

test(
  'whatever fails, all three nodes have everything acknowledged once, and all of it is delivered',
  async () => {
    for (const { name, happens } of chosen()) {
      await cluster.recovers()
      await cluster.captures(requestsBefore)
      try {
        await happens(cluster)
        await cluster.expectWhole()
      } catch (cause) {
        throw new Error(`${name}:\n${cluster.said}`, { cause })
      }
      if (FAULTS !== '') process.stderr.write(`${cluster.answered} acknowledged, whole after: ${name}\n`)
    }
  },
  trialMsMax,
)

test('an erased address is in no file of any node, and was never to be read in the database or the store', async () => {
  const { nodes, postgres, s3 } = cluster
  for (const { server } of nodes) {
    const answer = await server?.send(formRequest({ fields: { email: ada, message: `It is me, ${ada}` } }))
    if (answer !== undefined) submissionIdOf(answer)
  }
  await cluster.expectWhole()
  const holding = () => nodes.map(({ box }) => filesHolding(box.dataDir, ada).length > 0)
  expect(holding()).toEqual([true, true, true])
  const receipt = await cluster.saidByLeader(['person', 'erase', 'acme', ada, '--yes', '--json'])
  expect(JSON.parse(receipt)).toMatchObject({ submissions: nodes.length, verified: true })
  await cluster.expectWhole()
  expect(holding()).toEqual([false, false, false])
  expect([postgres.data, s3.fileOf('', '')].map((dir) => filesHolding(dir, ada))).toEqual([[], []])
})
