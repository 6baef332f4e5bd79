import { timestamp } from '../../lib/quantities.ts'
import { clockDoubt, waitText } from '../../operations/retention/retention-words.ts'
import type { AccountRetention } from '../../processing/retention-keeper.ts'
import { instant } from '../../report/instant.ts'
import { daysText } from '../account/show.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { type Style, styleFor } from '../output/style.ts'
import { type Cell, tableText } from '../output/table.ts'

export const retentionList = defineCommand({
  name: 'retention list',
  summary: 'Shows how long each account keeps what, and which deletions wait for your consent',
  details: `A deletion waits when the clock does not follow from when this box saw it last, or when it would take most of an
account's records of a class at once. docs/privacy.md says when that is.
--json prints { "clock": { "believed", "now", "expectedAt" }, "accounts": [{ "account", "submissionsDays", "eventsDays",
"refusedDays", "passedAt", "waits": { "class", "due", "kept", "also": { "submissions", "events",
"refused" }, "since", "allowed" }|null }] }.`,
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { listRetention } = await import('../../operations/retention/list-retention.ts')
    const { clock, accounts } = await withBox(session, listRetention)
    if (json) {
      const { isBelieved: believed, now, expectedAt } = clock
      const result = {
        clock: { believed, now: instant(now), expectedAt: instant(expectedAt) },
        accounts: accounts.map(asResult),
      }
      await session.out.write(toJson(result))
      return 0
    }
    const doubt = clock.isBelieved ? [] : [clockDoubt(clock)]
    const waits = accounts.flatMap(({ handle, wait }) =>
      wait === null || wait.isAllowed ? [] : [waitText(handle, wait)],
    )
    const sentences = [...doubt, ...waits].map(
      ({ found, advice }) => `\n${printable(`${found}\n${advice}`, 'lines')}\n`,
    )
    await session.out.write(asTable(accounts, styleFor(session.out, session.env)) + sentences.join(''))
    return 0
  },
})

function asResult({ handle, terms, passedAt, wait }: AccountRetention) {
  return {
    account: handle,
    ...terms,
    passedAt: passedAt === null ? null : instant(passedAt),
    waits: wait && {
      class: wait.class,
      due: wait.due,
      kept: wait.kept,
      also: wait.also,
      since: instant(wait.since),
      allowed: wait.isAllowed,
    },
  }
}

function asTable(accounts: AccountRetention[], style: Style): string {
  const rows = accounts.map(({ handle, terms, passedAt, wait }): Cell[] => [
    handle,
    daysText(terms.submissionsDays),
    daysText(terms.eventsDays),
    daysText(terms.refusedDays),
    passedAt === null ? 'not yet' : timestamp(passedAt),
    wait === null ? '' : { text: wait.isAllowed ? 'allowed' : 'waits', tone: wait.isAllowed ? 'good' : 'doubtful' },
  ])
  const headers = ['Account', 'Submissions', 'Events', 'Refused', 'Last pass', '']
  return tableText({ headers, rows, empty: 'There is no account on this box yet.' }, style)
}
