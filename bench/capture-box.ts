import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BenchRun } from './bench-run.ts'
import { type BenchPairs, writePairs } from './certificates.ts'
import { freePort, type ServerProcess } from './server-process.ts'
import { until } from './until.ts'

/** The budgets of the spec are config: so high that none is ever exhausted. */
const budgetMax = 2147483647

/** In variables, which a program that does not know them yet passes over. */
const variables = { CAPTURE_OPERATOR_LISTEN: '', CAPTURE_DELIVERY_ALLOW_PRIVATE: '127.0.0.0/8' }

/** A data folder with its config, and what can be done to it with the compiled program. */
export interface CaptureBox {
  folder: string
  port: number
  /** Where it speaks https, if it does. */
  httpsPort: number
  /** Where its console answers. */
  consolePort: number
  dataFolder: string
  /** Adds to its configuration. */
  configure(toml: string): Promise<void>
  /** Runs a command of the program and gives back what it prints. @throws when it fails. */
  command(...words: string[]): Promise<string>
  /** Runs a command and says what it took. @throws when it fails. */
  measured(...words: string[]): Promise<MeasuredCommand>
  start(): Promise<ServerProcess>
  remove(): Promise<void>
}

export interface MeasuredCommand {
  seconds: number
  processorSeconds: number
  /** The most resident memory it ever had. */
  peakMegabytes: number
}

/** @param pairs with them it speaks https too, for these names */
export async function makeBox(run: BenchRun, pairs?: BenchPairs): Promise<CaptureBox> {
  const folder = await mkdtemp(join(run.folder, 'box-'))
  const program = resolve(run.options.binary)
  const { signal } = run
  const config = join(folder, 'capture.toml')
  const port = await freePort()
  const httpsPort = await freePort()
  const consolePort = await freePort()
  if (pairs !== undefined) await writePairs(join(folder, 'certificates'), pairs)
  await Bun.write(config, configText({ port, consolePort }) + (pairs === undefined ? '' : httpsText(httpsPort)))
  return {
    folder,
    port,
    httpsPort,
    consolePort,
    dataFolder: join(folder, 'data'),
    configure: (toml) => appendFile(config, toml),
    command: async (...words) => (await runCommand([program, ...words, '--config', config], folder)).output,
    measured: async (...words) => (await runCommand([program, ...words, '--config', config], folder)).measured,
    start: () => startServer({ program, config, folder, port, signal }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const configText = ({ port, consolePort }: Pick<CaptureBox, 'port' | 'consolePort'>): string => `data_dir = "./data"
[server]
listen = "127.0.0.1:${port}"
[console]
listen = "127.0.0.1:${consolePort}"
[limits]
form_per_ip = ${budgetMax}
form_per_origin = ${budgetMax}
event_per_ip = ${budgetMax}
event_per_origin = ${budgetMax}
view_per_ip = ${budgetMax}
click_per_ip = ${budgetMax}
requests_per_ip = ${budgetMax}
`

const httpsText = (port: number): string => `[https]
mode = "files"
listen = "127.0.0.1:${port}"
http_listen = ""
`

async function runCommand(words: string[], folder: string): Promise<{ output: string; measured: MeasuredCommand }> {
  const startedAt = performance.now()
  const child = Bun.spawn(words, { cwd: folder, env: { ...process.env, ...variables }, stdout: 'pipe', stderr: 'pipe' })
  const [output, faults] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${words.slice(1).join(' ')} failed:\n${faults}${output}`)
  const seconds = (performance.now() - startedAt) / 1000
  const usage = child.resourceUsage()
  return {
    output,
    measured: {
      seconds,
      processorSeconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
      peakMegabytes: (usage?.maxRSS ?? 0) / 1e6,
    },
  }
}

interface ServerFiles {
  program: string
  config: string
  folder: string
  port: number
  signal: AbortSignal
}

async function startServer({ program, config, folder, port, signal }: ServerFiles): Promise<ServerProcess> {
  const log = join(folder, 'serve.log')
  const child = Bun.spawn([program, 'serve', '--config', config], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdout: Bun.file(log),
    stderr: Bun.file(join(folder, 'serve.errors.log')),
    signal,
  })
  await until(`an answer of ${program} serve (see ${log})`, () => {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode} at once; see ${folder}/serve*.log`)
    return answers(port)
  })
  return {
    scheme: 'http',
    port,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM')
      const status = await child.exited
      if (status !== 0) throw new Error(`serve ended with ${status} after SIGTERM; see ${folder}/serve*.log`)
    },
  }
}

/** Whether anything at all is answered: a 404 for an unknown host will do. */
export async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { headers: { Host: 'nobody.example' }, redirect: 'manual' })
    return true
  } catch {
    return false
  }
}
