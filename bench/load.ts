import { join } from 'node:path'
import { type RequestLine, rawRequest } from './raw-request.ts'
import type { ServerAddress } from './server-process.ts'

export interface LoadSpec {
  server: ServerAddress
  request: RequestLine
  seconds: number
  connections: number
  threads: number
  /** A folder for the request file. */
  folder: string
}

export interface LoadResult {
  requests: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

/** What `done` in requests.lua prints. Times in microseconds. */
interface WrkResult {
  requests: number
  microseconds: number
  p50: number
  p99: number
  max: number
  refused: number
  socketErrors: number
}

/** Runs numbered so that no two of them send the same counter: three digits in requests.lua. */
const runNumbersMax = 1000

/** Drives wrk, the load generator of every figure here. */
export class LoadGenerator {
  private runs = 0

  constructor(private readonly signal: AbortSignal) {}

  /** @throws when a single answer was an error, or a single connection failed: such a figure would measure refusals. */
  async run(spec: LoadSpec): Promise<LoadResult> {
    const requestFile = join(spec.folder, 'request.txt')
    await Bun.write(requestFile, rawRequest(spec.request))
    const result = await this.wrk(spec, requestFile)
    if (result.refused > 0 || result.socketErrors > 0) {
      throw new Error(
        `${spec.request.method} ${spec.request.target}: ${result.refused} answers of 400 or more and ${result.socketErrors} socket errors in ${result.requests} requests`,
      )
    }
    return {
      requests: result.requests,
      requestsPerSecond: result.requests / (result.microseconds / 1e6),
      p50Ms: result.p50 / 1000,
      p99Ms: result.p99 / 1000,
      maxMs: result.max / 1000,
    }
  }

  private async wrk(spec: LoadSpec, requestFile: string): Promise<WrkResult> {
    const script = join(import.meta.dir, 'requests.lua')
    const runNumber = this.runs++ % runNumbersMax
    const child = Bun.spawn(
      [
        'wrk',
        `-t${spec.threads}`,
        `-c${spec.connections}`,
        `-d${spec.seconds}s`,
        '--timeout=10s',
        `-s${script}`,
        `${spec.server.scheme}://127.0.0.1:${spec.server.port}/`,
        '--',
        requestFile,
        String(runNumber),
      ],
      { stdout: 'pipe', stderr: 'pipe', signal: this.signal },
    )
    const [output, faults] = await Promise.all([child.stdout.text(), child.stderr.text()])
    const line = output.split('\n').find((text) => text.startsWith('RESULT '))
    if ((await child.exited) !== 0 || line === undefined) throw new Error(`wrk failed: ${faults}${output}`)
    return JSON.parse(line.slice('RESULT '.length)) as WrkResult
  }
}
