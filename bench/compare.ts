import type { LoadGenerator, LoadResult } from './load.ts'
import { median } from './median.ts'
import type { BenchOptions } from './options.ts'
import { processorSeconds } from './process-stats.ts'
import { type RequestLine, sendOnce } from './raw-request.ts'
import type { ServerProcess } from './server-process.ts'

/** One side of a comparison. */
export interface Side {
  server: ServerProcess
  request: RequestLine
  /** What every answer must be. */
  status: number
  /** Waits until the server does nothing any more: work left over counts, and must not slow the other side's turn. */
  atRest?: () => Promise<void>
}

/** Medians over the rounds of one side. */
export interface SideResult {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor cores the server used: near 1 and above, it and not the load generator was the limit. */
  cores: number
  /** Processor time of the server for one request, the work that it leaves for later included, in microseconds. */
  processorUs: number
  /** All requests answered, warm-up included. */
  requests: number
}

export interface Comparison {
  bare: SideResult
  measured: SideResult
  /** Of the medians. */
  ratio: number
}

export interface Alternation {
  load: LoadGenerator
  options: BenchOptions
  folder: string
}

type Sample = LoadResult & { cores: number; processorUs: number }

/** Drives both sides in turn, so that what else the machine does meets both alike. */
export async function compare(bare: Side, measured: Side, how: Alternation): Promise<Comparison> {
  const { rounds, roundSeconds, warmUpSeconds } = how.options
  let warmUpRequests = 0
  for (const side of [bare, measured]) warmUpRequests = (await drive(side, warmUpSeconds, how)).requests

  const samples: { bare: Sample[]; measured: Sample[] } = { bare: [], measured: [] }
  for (let round = 0; round < rounds; round++) {
    samples.bare.push(await drive(bare, roundSeconds, how))
    samples.measured.push(await drive(measured, roundSeconds, how))
  }
  const results = { bare: summary(samples.bare, 0), measured: summary(samples.measured, warmUpRequests) }
  return { ...results, ratio: results.measured.requestsPerSecond / results.bare.requestsPerSecond }
}

async function drive(side: Side, seconds: number, { load, options, folder }: Alternation): Promise<Sample> {
  await expectStatus(side)
  const { connections, loadThreads: threads } = options
  const before = await processorSeconds(side.server.pid)
  const result = await load.run({
    server: side.server,
    request: side.request,
    seconds,
    connections,
    threads,
    folder,
  })
  const cores = ((await processorSeconds(side.server.pid)) - before) / seconds
  await expectStatus(side)
  await side.atRest?.()
  const processorUs = (((await processorSeconds(side.server.pid)) - before) * 1e6) / result.requests
  return { ...result, cores, processorUs }
}

/** The load generator itself only tells errors from the rest. */
async function expectStatus({ server, request, status }: Side): Promise<void> {
  const answer = await sendOnce(request, server)
  if (answer.status === status) return
  const text = (await answer.text()).slice(0, 500)
  throw new Error(`${request.method} ${request.target} answers ${answer.status} instead of ${status}: ${text}`)
}

function summary(samples: Sample[], warmUpRequests: number): SideResult {
  const middle = (pick: (sample: Sample) => number) => median(samples.map(pick))
  return {
    requestsPerSecond: middle((sample) => sample.requestsPerSecond),
    p50Ms: middle((sample) => sample.p50Ms),
    p99Ms: middle((sample) => sample.p99Ms),
    cores: middle((sample) => sample.cores),
    processorUs: middle((sample) => sample.processorUs),
    requests: samples.reduce((sum, sample) => sum + sample.requests, warmUpRequests),
  }
}
