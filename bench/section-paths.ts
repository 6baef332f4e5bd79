import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { type Comparison, compare } from './compare.ts'
import { expectProcessed, expectStored, storedRecords } from './ledger-rows.ts'
import { startNative } from './native.ts'
import { clickPath } from './paths/click.ts'
import { batchPath, eventPath } from './paths/event.ts'
import { formPath } from './paths/form.ts'
import { pagePath } from './paths/page.ts'
import type { BenchPath, NamedPath, Visitor } from './paths/path.ts'
import { startBare } from './server-process.ts'

export const benchPaths: BenchPath[] = [formPath, eventPath, batchPath, pagePath, clickPath]

export interface PathResult extends Comparison {
  path: NamedPath
}

/** Throughput and latency of a path against Bun alone. */
export async function measurePath(path: BenchPath, run: BenchRun): Promise<PathResult> {
  run.progress(`${path.name}: ${path.title}`)
  return { path, ...(await (run.options.self ? againstItself(path, run) : againstBare(path, run))) }
}

/** Each path on a box of its own: none pays for what another one stored. */
async function againstBare(path: BenchPath, run: BenchRun): Promise<Comparison> {
  const box = await makeBox(run)
  await publishBenchSite(box)
  const [bare, server, native] = await Promise.all([
    startBare(path.bare, run.signal),
    box.start(),
    run.native === null ? null : startNative(run.native, run),
  ])
  try {
    const request = await path.request(await firstVisit(box))
    const before = storedRecords(box.dataFolder)
    const comparison = await compare(
      {
        bare: { server: bare, request, status: path.bareStatus },
        measured: { server, request, status: path.status, atRest: () => expectProcessed(box.dataFolder) },
        native: native && { server: native, request: { ...request, target: path.nativeTarget }, status: path.status },
      },
      alternation(run),
    )
    await expectStored(box.dataFolder, before + comparison.measured.requests * path.records)
    await discard(box, server.stop)
    return comparison
  } finally {
    await Promise.all([bare.stop(), native?.stop()])
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
    return await compare({ bare: { server: one, ...side }, measured: { server: other, ...side } }, alternation(run))
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
}

const alternation = ({ load, options, folder }: BenchRun) => ({ load, options, folder })
