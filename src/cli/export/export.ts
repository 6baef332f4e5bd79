import { resolve } from 'node:path'
import type { AccountStore } from '../../account/account-store.ts'
import type { Config } from '../../config/config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { plural } from '../../lib/quantities.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import type { Processing } from '../../processing/processing.ts'
import type { Include } from '../../report/export.ts'
import type { Findings } from '../../report/findings.ts'
import type { PersonReader } from '../../report/person-reader.ts'
import { type Command, defineCommand, usageError } from '../command.ts'
import { typedInstant } from '../input/typed-time.ts'
import { toJson } from '../output/json.ts'
import { standardOutputName } from '../output/out-file.ts'
import { printable } from '../output/printable.ts'
import { catchUp } from '../record/catch-up.ts'
import { UnreadableRecords } from '../record/unreadable.ts'
import type { Session } from '../session.ts'
import { type ExportRequest, runExport } from './export-run.ts'
import { separators, typedFormat } from './typed-format.ts'

/** What an export needs of the opened box. */
export interface ExportBox {
  dataDir: string
  accounts: Pick<AccountStore, 'find' | 'list'>
  ledger: Ledger
  findings: Findings
  persons: PersonReader
  processing: Pick<Processing, 'catchUp'>
  close(): Promise<void>
}

const whats = ['submissions', 'events', 'persons'] as const
const formats = ['jsonl', 'csv'] as const

/** `capture export`: the records of an account and its persons, streamed (contract sections 1 and 5). */
export const exportCommand = (openBox: (config: Config, session: Session) => Promise<ExportBox>): Command =>
  defineCommand({
    name: 'export',
    summary: 'Prints the submissions, events or persons of an account',
    details: `T is ISO 8601 (2026-11-20, 2026-11-20T09:30:00Z) or an age (30d, 12h). Some examples:
  capture export acme submissions --since 30d
  capture export acme submissions --format csv --out leads.csv
  capture export acme submissions --excel --separator semicolon --out leads.csv
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
      excel: { summary: 'CSV that Excel takes for UTF-8: it begins with a byte order mark' },
      separator: { value: 'NAME', summary: 'what separates the cells of CSV, comma if absent', choices: separators },
      refused: { summary: 'only the submissions that were refused as a bot' },
      all: { summary: 'accepted and refused submissions' },
      test: { summary: 'also what the hosted test page sent' },
      changed: { summary: 'also records that a disk has changed since they were captured, as they are now' },
    },
    printsResult: true,
    async run({ args, options, json }, session) {
      const request: ExportRequest = {
        what: args.what,
        ...typedFormat(options),
        out: outFile(options.out, session.cwd),
        ...period(options, session.clock.now()),
        include: included(options, args.what),
        test: withTest(options.test, args.what),
        withChanged: withChanged(options.changed, args.what),
      }
      if (json && request.out === null && request.format === 'csv') {
        throw usageError('--json and --format csv exclude each other, unless --out takes the CSV.')
      }
      const { config } = await session.loadConfig()
      const box = await openBox(config, session)
      try {
        const account = await accountNamed(box.accounts, args.account)
        await catchUp(box.processing, session)
        const { dataDir, ledger, findings, persons } = box
        const unreadable = new UnreadableRecords(session.err)
        const { onUnreadable, onUnknown } = unreadable
        const rows = await runExport(
          { ...request, onUnreadable, onUnknown },
          { account, dataDir, ledger, findings, persons, ...session },
        )
        const { what, format, out } = request
        if (json && out !== null) await session.out.write(toJson({ account: account.handle, what, format, out, rows }))
        session.err.write(
          printable(
            `Exported ${plural(rows, what.slice(0, -1))} of ${account.handle}${out === null ? '' : ` to ${out}`}.`,
          ) + '\n',
        )
        return unreadable.exitStatus()
      } finally {
        await box.close()
      }
    },
  })

const outFile = (typed: string | undefined, cwd: string): string | null =>
  typed === undefined || typed === standardOutputName ? null : resolve(cwd, typed)

type Period = Pick<ExportRequest, 'since' | 'until'>

function period(typed: { since: string | undefined; until: string | undefined }, now: number): Period {
  const since = typedInstant('--since', typed.since, now)
  const until = typedInstant('--until', typed.until, now)
  if (since !== null && until !== null && since >= until) throw usageError('--since is not before --until.')
  return { since, until }
}

function included({ refused, all }: { refused: boolean; all: boolean }, what: ExportRequest['what']): Include {
  if (!refused && !all) return 'accepted'
  if (refused && all) throw usageError('--refused and --all exclude each other: --all prints both kinds.')
  if (what === 'submissions') return refused ? 'refused' : 'all'
  throw usageError('--refused and --all go with submissions: refused events are counted, not kept.')
}

function withChanged(changed: boolean, what: ExportRequest['what']): boolean {
  if (!changed || what !== 'persons') return changed
  throw usageError('--changed goes with submissions and events: persons are made of records as they were captured.')
}

function withTest(test: boolean, what: ExportRequest['what']): boolean {
  if (!test || what !== 'persons') return test
  throw usageError('--test goes with submissions and events: what the hosted test page sent makes nobody known.')
}
