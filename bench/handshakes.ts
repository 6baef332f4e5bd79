import type { BenchRun } from './bench-run.ts'
import { median } from './median.ts'
import { processorSeconds } from './process-stats.ts'
import type { ServerProcess } from './server-process.ts'

/** Connections that are being made at any moment. */
const lanes = 16

export interface HandshakeResult {
  perSecond: number
  /** Processor time of the server, which unlike the rate owes nothing to the client on the same machine. */
  serverMs: number
}

/** Drives both servers in turn with full TLS 1.3 handshakes, spread over the names. Medians over the rounds. */
export async function compareHandshakes(
  sides: { bare: ServerProcess; measured: ServerProcess },
  names: string[],
  run: BenchRun,
): Promise<{ bare: HandshakeResult; measured: HandshakeResult }> {
  const { rounds, roundSeconds, warmUpSeconds } = run.options
  const samples: { bare: HandshakeResult[]; measured: HandshakeResult[] } = { bare: [], measured: [] }
  for (const server of [sides.bare, sides.measured]) await drive(server, names, warmUpSeconds, run)
  for (let round = 0; round < rounds; round++) {
    samples.bare.push(await drive(sides.bare, names, roundSeconds, run))
    samples.measured.push(await drive(sides.measured, names, roundSeconds, run))
  }
  return { bare: medians(samples.bare), measured: medians(samples.measured) }
}

async function drive(server: ServerProcess, names: string[], seconds: number, run: BenchRun): Promise<HandshakeResult> {
  const before = await processorSeconds(server.pid)
  const words = [server.port, seconds, lanes].map(String)
  const client = Bun.spawn(
    [process.execPath, `${import.meta.dir}/handshake-client.ts`, ...words, JSON.stringify(names)],
    { stdout: 'pipe', stderr: 'inherit', signal: run.signal },
  )
  const made = Number(await client.stdout.text())
  if ((await client.exited) !== 0 || !(made > 0)) throw new Error('the handshakes failed')
  const used = (await processorSeconds(server.pid)) - before
  return { perSecond: made / seconds, serverMs: (used * 1000) / made }
}

const medians = (samples: HandshakeResult[]): HandshakeResult => ({
  perSecond: median(samples.map(({ perSecond }) => perSecond)),
  serverMs: median(samples.map(({ serverMs }) => serverMs)),
})
