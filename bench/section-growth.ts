import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { compare, type Side } from './compare.ts'
import { fillLedger } from './fill-ledger.ts'
import { fillProcessed } from './fill-processed.ts'
import { expectProcessed, expectStored } from './ledger-rows.ts'
import { eventPath } from './paths/event.ts'
import { formPath } from './paths/form.ts'
import type { BenchPath, NamedPath } from './paths/path.ts'
import type { ServerProcess } from './server-process.ts'

export interface GrowthResult {
  path: NamedPath
  storedEvents: number
  emptyPerSecond: number
  grownPerSecond: number
  ratio: number
}

/** Throughput on a box that holds years of processed events against one that holds none. */
export async function measureGrowth(run: BenchRun): Promise<GrowthResult[]> {
  const storedEvents = run.options.growthEvents
  const [empty, grown] = await Promise.all([makeBox(run), makeBox(run)])
  await Promise.all([publishBenchSite(empty), publishBenchSite(grown)])
  run.progress(`growth: storing ${storedEvents} events`)
  fillLedger(grown.dataFolder, { events: storedEvents })
  fillProcessed(grown.dataFolder)

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
  const side = async (box: CaptureBox, server: ServerProcess): Promise<Side> => ({
    server,
    request: await path.request(await firstVisit(box)),
    status: path.status,
    atRest: () => expectProcessed(box.dataFolder),
  })
  const comparison = await compare(
    { bare: await side(empty, servers[0]), measured: await side(grown, servers[1]) },
    { load, options, folder },
  )
  await Promise.all(servers.map((server) => server.stop()))
  return {
    emptyPerSecond: comparison.bare.requestsPerSecond,
    grownPerSecond: comparison.measured.requestsPerSecond,
    ratio: comparison.ratio,
  }
}
