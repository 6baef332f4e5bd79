import { timestamp } from '../../lib/quantities.ts'
import type { ListedSubmissions, SubmissionsWanted } from '../../operations/submission/list-submissions.ts'
import { defineCommand, usageError } from '../command.ts'
import { typedInstant } from '../input/typed-time.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { type Style, styleFor } from '../output/style.ts'
import { hung } from '../output/wrap.ts'
import { RecordNotices } from '../record/record-notices.ts'
import { submissionRows } from './rows.ts'

const limitByDefault = 50
/** At most 16 MB, with 16 KB per record; `export` streams more. */
const limitMax = 1000

export const submissionList = defineCommand({
  name: 'submission list',
  summary: 'Lists the latest submissions of an account, or those that were refused as a bot and why',
  details: `Latest first. What the hosted test page sent is left out, and with --refused what was released since. A record that
cannot be read is left out and named on stderr, and the exit status is then 1.
--json prints an array of records as \`capture export\` does.
  capture submission list acme --refused --since 7d
  capture submission release acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed`,
  args: { account: { summary: "the account's handle" } },
  options: {
    refused: { summary: 'only those that were refused as a bot' },
    since: { value: 'T', summary: 'received at T or later: ISO 8601 (2026-11-20) or an age (7d)' },
    limit: { value: 'N', summary: `so many at most (default: ${limitByDefault}; ${limitMax} at most)` },
  },
  printsResult: true,
  async run({ args, options, json }, session) {
    const wanted = {
      account: args.account,
      which: options.refused ? ('refused' as const) : ('all' as const),
      since: typedInstant('--since', options.since, session.clock.now()),
      limit: typedLimit(options.limit),
    }
    const notices = new RecordNotices(session.err)
    const { withBox } = await import('../with-box.ts')
    const { listSubmissions } = await import('../../operations/submission/list-submissions.ts')
    const listed = await withBox(session, (box) => listSubmissions(box, wanted, notices.onNotice))
    const exitStatus = notices.exitStatus()
    const drawn = { style: styleFor(session.out, session.env), room: session.out.columns }
    const text = () => asText(listed, { ...wanted, ...drawn, isAnyLeftOut: exitStatus !== 0 })
    await session.out.write(json ? toJson(listed.records) : text())
    return exitStatus
  },
})

function typedLimit(typed: string | undefined): number {
  if (typed === undefined) return limitByDefault
  const limit = Number(typed)
  if (/^\d+$/.test(typed) && limit >= 1 && limit <= limitMax) return limit
  throw usageError(`--limit takes a number from 1 to ${limitMax}, not "${typed}". \`capture export\` prints all.`)
}

interface Shown extends SubmissionsWanted {
  style: Style
  /** The terminal's width; absent: not a terminal. */
  room: number | undefined
  /** Whether unreadable records were left out. */
  isAnyLeftOut: boolean
}

function asText({ account, records, advice }: ListedSubmissions, { style, room, ...shown }: Shown): string {
  const table = submissionRows(records, { style, room, empty: nothingWords(account, shown) })
  const more =
    records.length === shown.limit
      ? [`The latest ${shown.limit}; --limit N shows up to ${limitMax}, \`capture export\` all.`]
      : []
  const helps = advice.map(({ check, advice }) => `${check}: ${advice}`)
  if (helps.length > 0) helps.push(`To release one that a person sent: capture submission release ${account} ID`)
  const hints = [...more, ...helps].map((line) => `${hung('', printable(line), room)}\n`)
  return hints.length === 0 ? table : `${table}\n${hints.join('')}`
}

function nothingWords(handle: string, { which, since, isAnyLeftOut }: Omit<Shown, 'style' | 'room'>): string {
  if (isAnyLeftOut) return `None of the submissions that ${handle} has can be read.`
  const came = since === null ? '' : ` that came since ${timestamp(since)}`
  return which === 'refused'
    ? `No submission of ${handle}${came} waits in quarantine.`
    : `${handle} has no submissions ${since === null ? 'yet' : `since ${timestamp(since)}`}.`
}
