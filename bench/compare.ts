import type { LoadGenerator, LoadResult } from './load.ts'
import { median } from './median.ts'
import type { BenchOptions } from './options.ts'
import { processorSeconds } from './process-stats.ts'
import { type RequestLine, sendOnce } from './raw-request.ts'
import type { ServerProcess } from './server-process.ts'

/** One side of a comparison. */
export interface Side {
  server: ServerProcess
  /** Those that have their part of the same load. */
  others?: readonly ServerProcess[]
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
  /** The native yardstick, and the ratio to it; `null`: it was not measured. */
  native: { result: SideResult; ratio: number } | null
}

/** Who takes turns. */
export interface Sides {
  bare: Side
  measured: Side
  native?: Side | null
}

export interface Alternation {
  load: LoadGenerator
  options: BenchOptions
  folder: string
}

type Sample = LoadResult & { cores: number; processorUs: number }

export async function compare({ bare, measured, native = null }: Sides, how: Alternation): Promise<Comparison> {
  const sides = [bare, measured, ...(native === null ? [] : [native])]
  const [bareResult, result, nativeResult] = (await alternate(sides, how)) as [SideResult, SideResult, SideResult?]
  const ratioTo = (other: SideResult) => result.requestsPerSecond / other.requestsPerSecond
  return {
    bare: bareResult,
    measured: result,
    ratio: ratioTo(bareResult),
    native: nativeResult === undefined ? null : { result: nativeResult, ratio: ratioTo(nativeResult) },
  }
}

/** Drives the sides in turn, so that what else the machine does meets all alike. */
export async function alternate(sides: readonly Side[], how: Alternation): Promise<SideResult[]> {
  const { rounds, roundSeconds, warmUpSeconds } = how.options
  const driven = sides.map(unmeasured)
  for (const one of driven) one.warmUpRequests = (await drive(one.side, warmUpSeconds, how)).requests
  for (let round = 0; round < rounds; round++) {
    for (const { side, samples } of driven) samples.push(await drive(side, roundSeconds, how))
  }
  return driven.map(summary)
}

interface Driven {
  side: Side
  samples: Sample[]
  warmUpRequests: number
}

const unmeasured = (side: Side): Driven => ({ side, samples: [], warmUpRequests: 0 })

async function drive(side: Side, seconds: number, { load, options, folder }: Alternation): Promise<Sample> {
  await expectStatus(side)
  const servers = [side.server, ...(side.others ?? [])]
  const { loadThreads: threads } = options
  const connections = Math.ceil(options.connections / servers.length)
  const before = await usedSeconds(servers)
  const results = await Promise.all(
    servers.map((server) => load.run({ server, request: side.request, seconds, connections, threads, folder })),
  )
  const result = together(results)
  const cores = ((await usedSeconds(servers)) - before) / seconds
  await expectStatus(side)
  await side.atRest?.()
  const processorUs = (((await usedSeconds(servers)) - before) * 1e6) / result.requests
  return { ...result, cores, processorUs }
}

async function usedSeconds(servers: readonly ServerProcess[]): Promise<number> {
  const used = await Promise.all(servers.map(({ pid }) => processorSeconds(pid)))
  return used.reduce((sum, seconds) => sum + seconds)
}

/** Of several servers, the slowest answers. */
function together(results: readonly LoadResult[]): LoadResult {
  const values = (pick: (result: LoadResult) => number) => results.map(pick)
  const sum = (pick: (result: LoadResult) => number) => values(pick).reduce((all, one) => all + one)
  return {
    requests: sum(({ requests }) => requests),
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    p50Ms: Math.max(...values(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...values(({ p99Ms }) => p99Ms)),
    maxMs: Math.max(...values(({ maxMs }) => maxMs)),
  }
}

/** The load generator itself only tells errors from the rest. */
async function expectStatus({ server, request, status }: Side): Promise<void> {
  const answer = await sendOnce(request, server)
  if (answer.status === status) return
  const text = (await answer.text()).slice(0, 500)
  throw new Error(`${request.method} ${request.target} answers ${answer.status} instead of ${status}: ${text}`)
}

function summary({ samples, warmUpRequests }: Driven): SideResult {
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
