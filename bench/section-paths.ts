import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { type Comparison, compare, type Side } from './compare.ts'
import { expectProcessed, expectStored, storedRecords } from './ledger-rows.ts'
import { clickPath } from './paths/click.ts'
import { batchPath, eventPath } from './paths/event.ts'
import { formPath } from './paths/form.ts'
import { pagePath } from './paths/page.ts'
import type { BenchPath, Visitor } from './paths/path.ts'
import { startBare } from './server-process.ts'

export const benchPaths: BenchPath[] = [formPath, eventPath, batchPath, pagePath, clickPath]

export interface PathResult extends Comparison {
  path: BenchPath
}

/** Throughput and latency of each path against Bun alone. */
export async function measurePaths(run: BenchRun): Promise<PathResult[]> {
  const chosen = benchPaths.filter((path) => run.options.sections.includes(path.name))
  const results: PathResult[] = []
  for (const path of chosen) {
    run.progress(`${path.name}: ${path.title}`)
    results.push({ path, ...(await (run.options.self ? againstItself(path, run) : againstBare(path, run))) })
  }
  return results
}

/** Each path on a box of its own: none pays for what another one stored. */
async function againstBare(path: BenchPath, run: BenchRun): Promise<Comparison> {
  const box = await makeBox(run)
  await publishBenchSite(box)
  const [bare, server] = await Promise.all([startBare(path.bare, run.signal), box.start()])
  try {
    const request = await path.request(await firstVisit(box))
    const before = storedRecords(box.dataFolder)
    const bareSide: Side = { server: bare, request, status: path.bareStatus }
    const comparison = await compare(
      bareSide,
      { server, request, status: path.status, atRest: () => expectProcessed(box.dataFolder) },
      alternation(run),
    )
    await expectStored(box.dataFolder, before + comparison.measured.requests * path.records)
    await discard(box, server.stop)
    return comparison
  } finally {
    await bare.stop()
  }
}

async function discard(box: CaptureBox, stop: () => Promise<void>): Promise<void> {
  await stop()
  await box.remove()
}

const nobody: Visitor = { cookie: 'svc_id=nobody', clickTarget: async () => '/_svc/c/nothing' }

/** The ratio must come out at 1: what is missing is the noise of this machine and of this harness. */
async function againstItself(path: BenchPath, run: BenchRun): Promise<Comparison> {
  const [one, other] = await Promise.all([startBare(path.bare, run.signal), startBare(path.bare, run.signal)])
  try {
    const request = await path.request(nobody)
    const side = { request, status: path.bareStatus }
    return await compare({ server: one, ...side }, { server: other, ...side }, alternation(run))
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
}

const alternation = ({ load, options, folder }: BenchRun) => ({ load, options, folder })
