import { timestamp } from '../../lib/quantities.ts'
import type { ListedSubmissions, SubmissionsWanted } from '../../operations/submission/list-submissions.ts'
import { defineCommand } from '../command.ts'
import { typedLimit } from '../input/typed-limit.ts'
import { typedInstant } from '../input/typed-time.ts'
import { printable } from '../output/printable.ts'
import type { Layout } from '../output/style.ts'
import { hung } from '../output/wrap.ts'
import { noticesTo } from '../record/record-notices.ts'
import { submissionRows } from './rows.ts'

const limitByDefault = 50
/** At most 16 MB, with 16 KB per record; `export` streams more. */
const limitMax = 1000

export const submissionList = defineCommand({
  name: 'submission list',
  summary: 'Lists the latest submissions of an account, or those that were refused as a bot and why',
  details: `Latest first. What the hosted test page sent is left out, and with --refused what was released since.
--json prints an array of records as \`capture export\` does.
  capture submission list acme --refused --since 7d
  capture submission release acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed`,
  args: { account: { summary: "the account's handle" } },
  options: {
    refused: { summary: 'only those that were refused as a bot' },
    since: { value: 'T', summary: 'received at T or later: ISO 8601 (2026-11-20) or an age (7d)' },
    limit: { value: 'N', summary: `how many at most (default: ${limitByDefault}; ${limitMax} at most)` },
  },
  async run({ args, options }, session) {
    const wanted = {
      account: args.account,
      which: options.refused ? ('refused' as const) : ('all' as const),
      since: typedInstant('--since', options.since, session.clock.now()),
      limit: typedLimit(options.limit, limitMax, ' `capture export` prints all.') ?? limitByDefault,
    }
    const onNotice = noticesTo(session.err)
    const { listSubmissions } = await import('../../operations/submission/list-submissions.ts')
    const listed = await session.withBox((box) => listSubmissions(box, wanted, onNotice))
    return { json: listed.records, text: (layout) => asText(listed, { ...wanted, ...layout }) }
  },
})

interface Shown extends SubmissionsWanted, Layout {}

function asText({ account, records, advice }: ListedSubmissions, { style, columns, ...shown }: Shown): string {
  const table = submissionRows(records, { style, columns, empty: nothingWords(account, shown) })
  const more =
    records.length === shown.limit
      ? [`The latest ${shown.limit}; --limit N shows up to ${limitMax}, \`capture export\` all.`]
      : []
  const helps = advice.map(({ check, advice }) => `${check}: ${advice}`)
  if (helps.length > 0) helps.push(`To release one that a person sent: capture submission release ${account} ID`)
  const hints = [...more, ...helps].map((line) => `${hung('', printable(line), columns)}\n`)
  return hints.length === 0 ? table : `${table}\n${hints.join('')}`
}

function nothingWords(handle: string, { which, since }: SubmissionsWanted): string {
  const came = since === null ? '' : ` that came since ${timestamp(since)}`
  return which === 'refused'
    ? `No submission of ${handle}${came} waits in quarantine.`
    : `${handle} has no submissions ${since === null ? 'yet' : `since ${timestamp(since)}`}.`
}
