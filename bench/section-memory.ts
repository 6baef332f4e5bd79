import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { makeBox } from './capture-box.ts'
import { residentMegabytes } from './process-stats.ts'
import type { RequestLine } from './raw-request.ts'
import { benchPaths } from './section-paths.ts'
import type { ServerProcess } from './server-process.ts'

export interface MemoryResult {
  firstSeconds: number
  firstMegabytes: number
  lastSeconds: number
  lastMegabytes: number
  peakMegabytes: number
}

/** Each path's turn under full load: short, so that every one of them has had one when memory is first read. */
const turnsBeforeFirst = 10

/** Resident memory under full load on all paths in turn. */
export async function measureMemory(run: BenchRun): Promise<MemoryResult> {
  const { first, last } = run.options.memorySeconds
  run.progress(`memory: ${last} s of full load`)
  const box = await makeBox(run)
  await publishBenchSite(box)
  const server = await box.start()
  const visitor = await firstVisit(box)
  const requests = await Promise.all(benchPaths.map((path) => path.request(visitor)))
  const turnSeconds = Math.max(1, Math.round(first / turnsBeforeFirst))

  await loadFor(first, { run, server, requests, turnSeconds })
  const { now: firstMegabytes } = await residentMegabytes(server.pid)
  await loadFor(last - first, { run, server, requests, turnSeconds })
  const { now: lastMegabytes, peak: peakMegabytes } = await residentMegabytes(server.pid)
  await server.stop()
  await box.remove()
  return { firstSeconds: first, firstMegabytes, lastSeconds: last, lastMegabytes, peakMegabytes }
}

interface MixedLoad {
  run: BenchRun
  server: ServerProcess
  requests: RequestLine[]
  turnSeconds: number
}

async function loadFor(seconds: number, { run, server, requests, turnSeconds }: MixedLoad): Promise<void> {
  const { connections, loadThreads: threads } = run.options
  const turns = Math.ceil(seconds / turnSeconds)
  for (let turn = 0; turn < turns; turn++) {
    const request = requests[turn % requests.length]
    if (!request) return
    await run.load.run({ server, request, seconds: turnSeconds, connections, threads, folder: run.folder })
  }
}
