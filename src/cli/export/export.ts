import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { plural } from '../../lib/quantities.ts'
import type { ExportFormat, ExportingBox, ExportWanted, RecordExport } from '../../operations/export/export-records.ts'
import type { CsvDialect } from '../../report/csv.ts'
import type { Include } from '../../report/export.ts'
import { type NotingBox, notedCommand } from '../audit/noted-command.ts'
import { type Command, defineCommand, usageError } from '../command.ts'
import { typedInstant } from '../input/typed-values.ts'
import { type Progress, type ResultStream, standardOutputName, startProgress } from '../output/streams.ts'
import { printable } from '../output/text.ts'
import { noticesTo } from '../record/record-notices.ts'
import type { Session } from '../session.ts'

/** What an export needs of the opened box. */
export interface ExportBox extends ExportingBox, Omit<NotingBox, keyof ExportingBox> {
  dataDir: string
  close(): Promise<void>
}

const whats = ['submissions', 'events', 'persons'] as const
const formats = ['jsonl', 'csv'] as const

/** `capture export`: the records of an account and its persons, streamed (docs/exports.md). */
export const exportCommand = (openBox: (config: Config, session: Session) => Promise<ExportBox>): Command =>
  defineCommand({
    name: 'export',
    summary: 'Prints the submissions, events or persons of an account',
    details: `T is ISO 8601 (2026-11-20, 2026-11-20T09:30:00Z) or an age (30d, 12h). Some examples:
  capture export acme submissions --since 30d
  capture export acme submissions --format csv --out leads.csv
  capture export acme submissions --form contact1 --excel --separator semicolon --out leads.csv
  capture export acme events --since 2026-11-01 --until 2026-12-01 > november.jsonl
  capture export acme persons --since 7d
Submissions and events come in order of receipt, persons in the order in which they became known.`,
    args: {
      account: { summary: "the account's handle" },
      what: { summary: 'what to export', choices: whats },
    },
    options: {
      since: { value: 'T', summary: 'received at T or later; of persons, last seen then' },
      until: { value: 'T', summary: 'received before T; of persons, last seen then' },
      format: { value: 'FORMAT', summary: 'jsonl: one JSON object a line (the default); csv', choices: formats },
      out: {
        value: 'FILE',
        summary: 'write to FILE, in place of an earlier one, once the export is whole; -: to standard output',
      },
      form: { value: 'ID', summary: 'only the submissions of this form' },
      excel: { summary: 'CSV for Excel: with a byte order mark, and what visitors entered comes first' },
      separator: { value: 'NAME', summary: 'what separates the cells of CSV, comma if absent', choices: separators },
      refused: { summary: 'only the submissions that were refused, as a bot or by an operator' },
      all: { summary: 'accepted and refused submissions' },
      test: { summary: 'also what the hosted test page sent' },
    },
    async run({ args, options, json }, session) {
      const wanted: ExportWanted = {
        ...args,
        format: typedFormat(options),
        ...period(options, session.clock.now()),
        include: included(options, args.what),
        test: withTest(options.test, args.what),
        form: ofForm(options.form, args.what),
      }
      const file = outFile(options.out, session.cwd)
      const { what, format } = wanted
      if (json && file === null && format.name === 'csv') {
        throw usageError('--json and --format csv exclude each other, unless --out takes the CSV.')
      }
      const onNotice = noticesTo(session.err)
      const { config } = await session.loadConfig()
      const box = await openBox(config, session)
      try {
        const { exportRecords } = await import('../../operations/export/export-records.ts')
        const progress = exportProgress(session, file)
        let rows = 0
        const onRecord = (): void => {
          rows++
          progress.advance(1)
        }
        const act = { action: 'export.read' as const, account: args.account, subject: what }
        const { account } = await notedCommand({ box, session, act }, async () => {
          const exported = await exportRecords(box, wanted, { onNotice, onRecord })
          await writeExport(exported, { file, dataDir: box.dataDir, out: session.out }).finally(progress.end)
          return exported
        })
        const to = file === null ? '' : ` to ${file}`
        return {
          ...(file !== null && { json: { account, what, format: format.name, out: file, rows } }),
          text: [],
          notes: [`Exported ${plural(rows, what.slice(0, -1))} of ${account}${to}.`],
        }
      } finally {
        await box.close()
      }
    },
  })

/** No progress line if the records themselves go to the terminal. */
const exportProgress = ({ out, err, clock }: Session, file: string | null): Progress =>
  startProgress({
    stream: file === null && out.isTerminal ? { ...err, isTerminal: false } : err,
    clock,
    label: 'Exporting',
    unit: 'rows',
    total: null,
  })

const outFile = (typed: string | undefined, cwd: string): string | null =>
  typed === undefined || typed === standardOutputName ? null : resolve(cwd, typed)

type Period = Pick<ExportWanted, 'since' | 'until'>

function period(typed: { since: string | undefined; until: string | undefined }, now: number): Period {
  const since = typedInstant('--since', typed.since, now)
  const until = typedInstant('--until', typed.until, now)
  if (since !== null && until !== null && since >= until) throw usageError('--since is not before --until.')
  return { since, until }
}

function included({ refused, all }: { refused: boolean; all: boolean }, what: ExportWanted['what']): Include {
  if (!refused && !all) return 'accepted'
  if (refused && all) throw usageError('--refused and --all exclude each other: --all prints both kinds.')
  if (what === 'submissions') return refused ? 'refused' : 'all'
  throw usageError('--refused and --all go with submissions: refused events are counted, not kept.')
}

function withTest(test: boolean, what: ExportWanted['what']): boolean {
  if (!test || what !== 'persons') return test
  throw usageError('--test goes with submissions and events: what the hosted test page sent makes nobody known.')
}

function ofForm(form: string | undefined, what: ExportWanted['what']): string | undefined {
  if (form === undefined || what === 'submissions') return form
  throw usageError('--form goes with submissions.')
}

const separators = ['comma', 'semicolon', 'tab'] as const

const characters: Record<(typeof separators)[number], CsvDialect['separator']> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
}

interface Typed {
  format: 'jsonl' | 'csv' | undefined
  excel: boolean
  separator: (typeof separators)[number] | undefined
}

/** The requested format, by name or implied by an option of CSV. */
function typedFormat({ format, excel, separator }: Typed): ExportFormat {
  if (!excel && separator === undefined && format !== 'csv') return { name: 'jsonl' }
  if (format === 'jsonl') throw usageError(`${excel ? '--excel' : '--separator'} goes with --format csv.`)
  return { name: 'csv', dialect: { separator: characters[separator ?? 'comma'], isMarked: excel } }
}

/** Writes an export to its target, at the reader's pace. */
async function writeExport(
  { chunks }: Pick<RecordExport, 'chunks'>,
  /** `file`: absolute; `null`: to standard output. */
  { file, dataDir, out }: { file: string | null; dataDir: string; out: ResultStream },
): Promise<void> {
  if (file === null) return toResult(chunks, out)
  const { writeOutFile } = await import('../../storage/filesystem/out-file.ts')
  return writeOutFile(file, dataDir, chunks)
}

/** CSV cannot escape control characters, so on a terminal they are made visible. */
async function toResult(chunks: AsyncIterable<string>, out: ResultStream): Promise<void> {
  for await (const chunk of chunks) {
    await out.write(out.isTerminal ? printable(chunk.replaceAll('\r\n', '\n'), 'lines') : chunk)
  }
}
