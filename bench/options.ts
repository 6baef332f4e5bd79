import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export const pathNames = ['form', 'event', 'batch', 'page', 'click'] as const
export const sectionNames = [
  ...pathNames,
  'split',
  'cluster',
  'https',
  'start',
  'memory',
  'growth',
  'processing',
  'deliveries',
  'backups',
  'restore',
  'report',
  'console',
] as const
export type SectionName = (typeof sectionNames)[number]

/** How much of everything one run does. */
export interface BenchOptions {
  sections: SectionName[]
  /** Alternations of bare and capture, per path. */
  rounds: number
  roundSeconds: number
  warmUpSeconds: number
  connections: number
  loadThreads: number
  /** Memory is read after the first of these seconds of load, and after all of them. */
  memorySeconds: { first: number; last: number }
  start: { runs: number; accounts: number; pagesPerAccount: number }
  growthEvents: number
  /** Events that wait to be processed. */
  processingEvents: number
  /** Deliveries that wait to be sent. */
  deliveries: number
  /** Of published files, for a backup and a restore of everything. */
  publishedMegabytes: number
  /** Whether `docs/performance.md` is written. */
  write: boolean
  /** Compares the bare server with itself: shows the noise of machine and harness. */
  self: boolean
  /** Where servers keep their data: a real disk. */
  workFolder: string
  binary: string
  /** The Cargo project of the native yardstick (docs/performance.md); `null`: none is measured. */
  native: string | null
}

export const usage = `Usage: bun run bench -- [options]

  --quick          short rounds and small fixtures: a look, not a result
  --only LIST      of ${sectionNames.join(', ')}
  --self           the bare server against itself: the noise of this machine
  --rounds N       alternations of each path
  --seconds N      seconds of each round
  --threads N      threads of the load generator
  --data DIR       where data folders are made (default /var/tmp: a disk, not memory; a full run fills about 45 GB)
  --binary FILE    the program under test (default ./capture)
  --native DIR     a Cargo project of the native yardstick that docs/performance.md describes: builds and measures it too
  --write          writes docs/performance.md; figures are kept below --data after each section: a run that was stopped
                   is gone on with by the next one of the same program and options

Exits 1 when anything was answered otherwise than expected; a figure that misses its target is marked, and is no error.
`

const full = {
  rounds: 5,
  roundSeconds: 10,
  warmUpSeconds: 3,
  memorySeconds: { first: 60, last: 300 },
  start: { runs: 5, accounts: 1000, pagesPerAccount: 10 },
  growthEvents: 5_000_000,
  processingEvents: 1_000_000,
  deliveries: 100_000,
  publishedMegabytes: 10_000,
}

const quick: typeof full = {
  rounds: 3,
  roundSeconds: 2,
  warmUpSeconds: 1,
  memorySeconds: { first: 10, last: 30 },
  start: { runs: 3, accounts: 50, pagesPerAccount: 10 },
  growthEvents: 200_000,
  processingEvents: 100_000,
  deliveries: 10_000,
  publishedMegabytes: 200,
}

/** @returns the options, or `null` when help was asked for. @throws on an unknown option or section. */
export function readOptions(argv: string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      self: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      threads: { type: 'string', default: '1' },
      data: { type: 'string', default: '/var/tmp' },
      binary: { type: 'string', default: './capture' },
      native: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return null
  const scale = values.quick ? quick : full
  return {
    ...scale,
    sections: sectionsOf(values.only),
    rounds: count(values.rounds, scale.rounds, '--rounds'),
    roundSeconds: count(values.seconds, scale.roundSeconds, '--seconds'),
    loadThreads: count(values.threads, 1, '--threads'),
    connections: 64,
    write: values.write,
    self: values.self,
    workFolder: values.data,
    binary: values.binary,
    native: values.native === undefined ? null : resolve(values.native),
  }
}

function sectionsOf(list: string | undefined): SectionName[] {
  if (list === undefined) return [...sectionNames]
  return list.split(',').map((text) => {
    const name = sectionNames.find((known) => known === text.trim())
    if (name === undefined) throw new Error(`--only: "${text}" is none of ${sectionNames.join(', ')}`)
    return name
  })
}

function count(text: string | undefined, otherwise: number, option: string): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option}: a whole number from 1 on, not "${text}"`)
  return value
}
