import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { type ExportBox, exportCommand } from '../../src/cli/export/export.ts'
import { OutputClosed } from '../../src/cli/output/streams.ts'
import type { World } from '../../src/cli/session.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { parseCsv } from '../report/parse-csv.ts'
import { type ArrayLedger, factsOf, knownPerson, ledgerOf, submission, trackedEvent } from '../report/sample-entries.ts'
import { type FakeWorld, fakeWorld } from './fake-world.ts'
import { account } from './sample-account.ts'

interface Ran {
  status: number
  world: FakeWorld
  ledger: ArrayLedger
  isClosed: boolean
}

/** A box that has nothing left to process and knows one person. */
const processed: Pick<ExportBox, 'facts' | 'persons' | 'submissions' | 'processing'> = {
  facts: factsOf(),
  persons: {
    page: async ({ after }) => (after === null ? [{ cursor: '1', person: knownPerson() }] : []),
    named: async () => null,
    withId: async () => null,
    way: async () => [],
    latest: async () => ({ persons: [], next: null }),
    async *records() {},
  },
  submissions: { lastReceived: async () => new Map<string, number>() },
  processing: { catchUp: async () => 0 },
}

/** What the audit log is told is tested elsewhere. */
const unwatched = ({ clock }: World): Pick<ExportBox, 'clock' | 'consoleStores'> => ({
  clock,
  consoleStores: async () => ({ audit: { add: async () => {} } }),
})

/** Runs `capture export` with the words given over a box of one account, acme. */
async function run(
  argv: string[],
  entries: Entry[] = [submission()],
  overrides: Partial<World> & Partial<Pick<ExportBox, 'processing'>> = {},
): Promise<Ran> {
  const { processing = processed.processing, ...worldly } = overrides
  const world = fakeWorld({ argv: ['export', ...argv], ...worldly })
  const ledger = ledgerOf(entries)
  let isClosed = false
  const box: ExportBox = {
    dataDir: '/nonexistent/data',
    changes: null,
    ...unwatched(world),
    accounts: {
      find: async (handle) => (handle === 'acme' ? account() : null),
      list: async () => [{ id: 'account-a', handle: 'acme', name: 'Acme Studio', changedAt: '1' }],
    },
    ledger,
    ...processed,
    processing,
    close: async () => {
      isClosed = true
    },
  }
  const status = await runCommandLine(world, [exportCommand(async () => box)])
  return { status, world, ledger, isClosed }
}

const ids = ({ world }: Ran): string[] =>
  world.printed.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).submissionId)

describe('capture export', () => {
  test('prints one JSON object a line', async () => {
    const ran = await run(['acme', 'submissions'], [submission({ id: 'a' }), submission({ id: 'b' })])
    expect({ status: ran.status, ids: ids(ran) }).toEqual({ status: 0, ids: ['a', 'b'] })
  })

  test('says on stderr how many rows there were', async () => {
    const { world } = await run(['acme', 'submissions'])
    expect(world.printed.err).toBe('Exported 1 submission of acme.\n')
  })

  test('prints nothing on stdout when there is nothing', async () => {
    const { status, world } = await run(['acme', 'events'])
    expect({ status, out: world.printed.out }).toEqual({ status: 0, out: '' })
  })

  test('prints CSV with a header and a column for each declared property', async () => {
    const { world } = await run(['acme', 'submissions', '--format', 'csv'])
    const [header = [], row = []] = parseCsv(world.printed.out)
    expect(header.slice(-3)).toEqual(['email', 'message', 'otherFields'])
    expect(row.slice(-3)).toEqual(['Ada@acme.example', 'Hello', ''])
  })

  test('prints CSV for Excel with a byte order mark, what visitors entered first, and the separator that was named', async () => {
    const { world } = await run(['acme', 'submissions', '--excel', '--separator', 'semicolon'])
    expect(world.printed.out).toMatch(/^\uFEFF(?:.*;)?otherFields;submissionId;formId;/)
  })

  test('prints the CSV header even when there is nothing', async () => {
    const { world } = await run(['acme', 'events', '--format', 'csv'], [])
    expect(parseCsv(world.printed.out).length).toBe(1)
  })

  test('prints persons, and counts them as such', async () => {
    const { world } = await run(['acme', 'persons'])
    expect(JSON.parse(world.printed.out)).toMatchObject({ personId: 'person-1', email: 'ada@acme.example' })
    expect(world.printed.err).toBe('Exported 1 person of acme.\n')
  })

  test('prints persons as CSV', async () => {
    const { world } = await run(['acme', 'persons', '--format', 'csv'])
    const [header = [], row = []] = parseCsv(world.printed.out)
    expect(Object.fromEntries(header.map((name, index) => [name, row[index]]))).toMatchObject({
      email: 'ada@acme.example',
      'attribution.first.source': 'google',
      submissions: '1',
    })
  })

  test('processes what waits before it reads', async () => {
    const steps: string[] = []
    const processing = {
      catchUp: async () => {
        steps.push('processed')
        return 0
      },
    }
    const out = {
      isTerminal: false,
      write: async () => {
        steps.push('printed')
      },
    }
    await run(['acme', 'submissions'], [submission()], { processing, out })
    expect(steps).toEqual(['processed', 'printed'])
  })

  test('says how many records wait to be processed, and prints them all the same', async () => {
    const { world } = await run(['acme', 'submissions'], [submission()], { processing: { catchUp: async () => 1234 } })
    expect(world.printed.err).toStartWith('1,234 recent records are still being processed')
    expect(world.printed.out).toContain('submission-1')
  })

  test('prints what there is when processing fails, and says so', async () => {
    const processing = { catchUp: () => Promise.reject(new Error('database or disk is full')) }
    const { status, world } = await run(['acme', 'submissions'], [submission()], { processing })
    expect({ status, err: world.printed.err }).toEqual({
      status: 0,
      err: expect.stringContaining('could not be processed (database or disk is full)'),
    })
    expect(world.printed.out).toContain('submission-1')
  })

  const good = submission({ id: 'good' })
  const bot = submission({ id: 'bot', status: 'refused', refusedFor: 'bot_check' })
  const tried = submission({ id: 'tried', test: true })
  test.each([
    [[], ['good']],
    [['--refused'], ['bot']],
    [['--all'], ['good', 'bot']],
    [['--test'], ['good', 'tried']],
    [
      ['--all', '--test'],
      ['good', 'bot', 'tried'],
    ],
  ])('with %j holds %j', async (flags, expected) => {
    expect(ids(await run(['acme', 'submissions', ...flags], [good, bot, tried]))).toEqual(expected)
  })

  test('takes an age and an instant for the period', async () => {
    const { ledger } = await run(['acme', 'submissions', '--since', '30d', '--until', '2026-11-19T12:00:00Z'])
    expect(ledger.queries[0]).toMatchObject({
      receivedFrom: Date.UTC(2026, 9, 21),
      receivedBefore: Date.UTC(2026, 10, 19, 12),
    })
  })

  test.each([
    [['acme', 'submissions', '--since', 'yesterday'], '--since takes'],
    [['acme', 'submissions', '--until', '2026-02-30'], '--until takes'],
    [['acme', 'submissions', '--since', '1d', '--until', '2d'], '--since is not before --until'],
    [['acme', 'submissions', '--all', '--refused'], 'exclude each other'],
    [['acme', 'events', '--refused'], 'go with submissions'],
    [['acme', 'persons', '--all'], 'go with submissions'],
    [['acme', 'persons', '--test'], 'goes with submissions and events'],
    [['acme', 'submissions', '--json', '--format', 'csv'], 'exclude each other'],
    [['acme', 'submissions', '--json', '--excel'], 'exclude each other'],
    [['acme', 'submissions', '--excel', '--format', 'jsonl'], '--excel goes with --format csv'],
    [['acme', 'submissions', '--separator', 'tab', '--format', 'jsonl'], '--separator goes with --format csv'],
    [['acme', 'visits'], 'Allowed choices'],
    [['acme', 'submissions', '--format', 'xlsx'], 'Allowed choices'],
    [['acme'], 'missing required argument'],
  ])('refuses %j as wrong usage', async (argv, message) => {
    const { status, world } = await run(argv)
    expect({ status, ...world.printed }).toEqual({ status: 2, out: '', err: expect.stringContaining(message) })
  })

  test('says which account was probably meant', async () => {
    const { status, world } = await run(['acne', 'submissions'])
    expect({ status, err: world.printed.err }).toEqual({
      status: 1,
      err: 'There is no account "acne" on this box. Did you mean "acme"?\n',
    })
  })

  test('closes the box when it fails', async () => {
    expect((await run(['acne', 'submissions'])).isClosed).toBe(true)
  })

  test('ends quietly and stops reading when its reader has gone', async () => {
    const many = Array.from({ length: 5000 }, () => submission({ fields: { text: 'x'.repeat(1000) } }))
    const gone = { isTerminal: false, write: () => Promise.reject(new OutputClosed()) }
    const { status, world, ledger } = await run(['acme', 'submissions'], many, { out: gone })
    expect({ status, err: world.printed.err, queries: ledger.queries.length }).toEqual({
      status: 0,
      err: '',
      queries: 1,
    })
  })

  test('reads no faster than its reader takes', async () => {
    const many = Array.from({ length: 5000 }, () => submission({ fields: { text: 'x'.repeat(1000) } }))
    const { promise: written, resolve: onWritten } = Promise.withResolvers<void>()
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    const slow = {
      isTerminal: false,
      write: () => {
        onWritten()
        return taken
      },
    }
    const ledger = ledgerOf(many)
    const world = fakeWorld({ argv: ['export', 'acme', 'submissions'], out: slow })
    const box: ExportBox = {
      dataDir: '/nonexistent/data',
      changes: null,
      ...unwatched(world),
      accounts: { find: async () => account(), list: async () => [] },
      ledger,
      ...processed,
      close: async () => {},
    }
    const done = runCommandLine(world, [exportCommand(async () => box)])
    await written
    const queriesWhileWaiting = ledger.queries.length
    take()
    await done
    expect(queriesWhileWaiting).toBe(1)
    expect(ledger.queries.length).toBe(20)
  })

  test('shows control characters in CSV on a terminal instead of sending them', async () => {
    let shown = ''
    const terminal = {
      isTerminal: true,
      async write(text: string) {
        shown += text
      },
    }
    await run(['acme', 'submissions', '--format', 'csv'], [submission({ fields: { message: '\u001b[2J' } })], {
      out: terminal,
    })
    expect(shown).toContain('\\u001b[2J')
    expect(shown).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe('capture export --out', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('writes the file, named from the current folder, and nothing to stdout', async () => {
    const { world } = await run(['acme', 'submissions', '--out', 'leads.jsonl'], [submission()], { cwd: folder })
    expect(world.printed.out).toBe('')
    expect(readFileSync(join(folder, 'leads.jsonl'), 'utf8')).toStartWith('{"submissionId":"submission-1"')
  })

  test('takes - for standard output, as --page-bytes does, and makes no file of that name', async () => {
    const { world } = await run(['acme', 'submissions', '--out', '-'], [submission()], { cwd: folder })
    expect(world.printed.out).toStartWith('{"submissionId":"submission-1"')
    expect(readdirSync(folder)).toEqual([])
  })

  test('says on stderr where the rows are', async () => {
    const { world } = await run(['acme', 'events', '--out', 'e.csv', '--format', 'csv'], [trackedEvent()], {
      cwd: folder,
    })
    expect(world.printed.err).toBe(`Exported 1 event of acme to ${join(folder, 'e.csv')}.\n`)
  })

  test('prints what it did as JSON', async () => {
    const { world } = await run(['acme', 'submissions', '--out', 'leads.jsonl', '--json'], [submission()], {
      cwd: folder,
    })
    expect(JSON.parse(world.printed.out)).toEqual({
      account: 'acme',
      what: 'submissions',
      format: 'jsonl',
      out: join(folder, 'leads.jsonl'),
      rows: 1,
    })
  })

  test('leaves no file when the export breaks off', async () => {
    const unprintable = submission({ fields: { amount: 1n as unknown as number } })
    const { status } = await run(['acme', 'submissions', '--out', 'leads.jsonl'], [unprintable], { cwd: folder })
    expect({ status, names: readdirSync(folder) }).toEqual({ status: 1, names: [] })
  })
})
