import { instant, instantOrNull } from '../../lib/instant.ts'
import { timestamp } from '../../lib/quantities.ts'
import { allowedText, clockDoubt, waitText } from '../../operations/retention/retention-words.ts'
import type { AccountRetention } from '../../processing/retention.ts'
import { termText } from '../account/account-commands.ts'
import { defineCommand } from '../command.ts'
import { printedLines } from '../output/print-result.ts'
import type { Layout } from '../output/style.ts'
import { type Cell, tableText } from '../output/table.ts'

export const retentionList = defineCommand({
  name: 'retention list',
  summary: 'Shows how long each account keeps what, and which deletions wait for your consent',
  details: `A deletion waits while the clock is implausible, or when it would take most of an account's records of a class at
once. docs/privacy.md says when that is.
--json prints { "clock": { "believed", "now", "expectedAt" }, "accounts": [{ "account", "submissionsDays", "eventsDays",
"refusedDays", "passedAt", "waits": { "class", "due", "kept", "also": { "submissions", "events",
"refused" }, "since", "allowed" }|null }] }.`,
  async run(_, session) {
    const { listRetention } = await import('../../operations/retention/retention-acts.ts')
    const { clock, accounts } = await session.withBox(listRetention)
    const { isBelieved: believed, now, expectedAt } = clock
    const doubt = clock.isBelieved ? [] : [clockDoubt(clock)]
    const waits = accounts.flatMap(({ handle, wait }) =>
      wait === null || wait.isAllowed ? [] : [waitText(handle, handle, wait)],
    )
    const sentences = [...doubt, ...waits].map(({ found, advice }) => `\n${printedLines([found, advice])}`)
    return {
      json: {
        clock: { believed, now: instant(now), expectedAt: instant(expectedAt) },
        accounts: accounts.map(asResult),
      },
      text: (layout) => asTable(accounts, layout) + sentences.join(''),
    }
  },
})

function asResult({ handle, terms, passedAt, wait }: AccountRetention) {
  return {
    account: handle,
    ...terms,
    passedAt: instantOrNull(passedAt),
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

function asTable(accounts: AccountRetention[], { style }: Layout): string {
  const rows = accounts.map(({ handle, terms, passedAt, wait }): Cell[] => [
    handle,
    termText(terms.submissionsDays),
    termText(terms.eventsDays),
    termText(terms.refusedDays),
    passedAt === null ? 'not yet' : timestamp(passedAt),
    wait === null ? '' : { text: wait.isAllowed ? 'allowed' : 'waits', tone: wait.isAllowed ? 'good' : 'doubtful' },
  ])
  const headers = ['Account', 'Submissions', 'Events', 'Refused', 'Last pass', '']
  return tableText({ headers, rows, empty: 'There is no account on this box yet.' }, style)
}

export const retentionAllow = defineCommand({
  name: 'retention allow',
  summary: "Permits an account's deletion that waits for your consent",
  details: `Permits one pass, which a running service begins within a second. \`capture retention list\` says what waits.
--json prints { "account", "allowed": { "class", "due", "kept", "also": { "submissions", "events",
"refused" } }|null }; null: nothing waits.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { allowDeletion } = await import('../../operations/retention/retention-acts.ts')
    const { answer } = await session.act(allowDeletion, args)
    const { account, allowed } = answer
    const text = allowed === null ? `No deletion of ${account} waits.` : allowedText(account, allowed)
    return { json: answer, text }
  },
})

export const retentionTrustClock = defineCommand({
  name: 'retention trust-clock',
  summary: 'Confirms that the clock is right, when retention doubts it',
  details: `Use it when a machine was off for more than a week, or a wrong clock was set right. If most of an account's
records are then due, the account needs \`capture retention allow\` as well.
--json prints { "now", "doubted" }; "doubted": whether it was.`,
  async run(_, session) {
    const { trustClock } = await import('../../operations/retention/retention-acts.ts')
    const { answer } = await session.act(trustClock, {})
    const outcome = answer.doubted ? ': retention continues.' : ', which was not doubted: nothing to do.'
    return { json: answer, text: `It is ${timestamp(Date.parse(answer.now))}${outcome}` }
  },
})
