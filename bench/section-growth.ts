import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { compare } from './compare.ts'
import { fillLedger } from './fill-ledger.ts'
import { expectStored } from './ledger-rows.ts'
import { eventPath } from './paths/event.ts'
import { formPath } from './paths/form.ts'
import type { BenchPath } from './paths/path.ts'

export interface GrowthResult {
  path: BenchPath
  storedEvents: number
  emptyPerSecond: number
  grownPerSecond: number
  ratio: number
}

/** Throughput on a box that holds years of events against one that holds none. */
export async function measureGrowth(run: BenchRun): Promise<GrowthResult[]> {
  const storedEvents = run.options.growthEvents
  const [empty, grown] = await Promise.all([makeBox(run), makeBox(run)])
  await Promise.all([publishBenchSite(empty), publishBenchSite(grown)])
  run.progress(`growth: storing ${storedEvents} events`)
  fillLedger(grown.dataFolder, storedEvents)

  const results: GrowthResult[] = []
  for (const path of [formPath, eventPath]) {
    run.progress(`growth: ${path.name} with ${storedEvents} stored events against none`)
    results.push({ path, storedEvents, ...(await compareBoxes(path, { empty, grown }, run)) })
  }
  await Promise.all([empty.remove(), grown.remove()])
  return results
}

interface Boxes {
  empty: CaptureBox
  grown: CaptureBox
}

async function compareBoxes(path: BenchPath, { empty, grown }: Boxes, { load, options, folder }: BenchRun) {
  const servers = await Promise.all([empty.start(), grown.start()])
  await expectStored(grown.dataFolder, options.growthEvents)
  const status = path.status
  const comparison = await compare(
    { server: servers[0], request: await path.request(await firstVisit(empty)), status },
    { server: servers[1], request: await path.request(await firstVisit(grown)), status },
    { load, options, folder },
  )
  await Promise.all(servers.map((server) => server.stop()))
  return {
    emptyPerSecond: comparison.bare.requestsPerSecond,
    grownPerSecond: comparison.measured.requestsPerSecond,
    ratio: comparison.ratio,
  }
}
