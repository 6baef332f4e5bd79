import type { RetentionSettings } from '../account/account.ts'
import { timestamp } from '../lib/quantities.ts'
import { classWords, clockDoubt, countsText } from '../operations/retention/retention-words.ts'
import { allOf, noRecords, type RetentionClass, type RetentionCounts } from '../processing/retention.ts'
import type { RetentionKeeper, RetentionOutlook } from '../processing/retention-keeper.ts'
import type { CommandBox } from './open.ts'

/** What shorter terms make due: of the classes whose term is shorter, or whose first it is. */
export type ShorterTerms = RetentionOutlook & { classes: RetentionClass[]; clock: ReturnType<RetentionKeeper['clock']> }

const daysOf = (terms: RetentionSettings): Record<RetentionClass, number> => ({
  submissions: terms.submissionsDays ?? Number.POSITIVE_INFINITY,
  events: terms.eventsDays ?? Number.POSITIVE_INFINITY,
  refused: terms.refusedDays,
})

/**
 * What an apply of such terms would make due; `null`: no term of the account gets shorter. Looked at before the apply, since
 * a running server may delete at once. What is announced goes ahead: retention does not ask again.
 */
export async function shorterTerms(
  { accounts, retention }: Pick<CommandBox, 'accounts' | 'retention'>,
  { handle, terms, dryRun }: { handle: string; terms: RetentionSettings; dryRun: boolean },
): Promise<ShorterTerms | null> {
  const account = await accounts.find(handle)
  if (account === null) return null
  const before = daysOf(account.settings.retention)
  const after = daysOf(terms)
  const classes = (['submissions', 'events', 'refused'] as const).filter((name) => after[name] < before[name])
  if (classes.length === 0) return null
  const { due, nextDueAt } = await retention.outlook(account.id, terms)
  if (!dryRun) await retention.announce(account.id, account.settings.retention)
  return { classes, due: only(classes, due), nextDueAt, clock: retention.clock() }
}

function only(classes: RetentionClass[], counts: RetentionCounts): RetentionCounts {
  const of = noRecords()
  for (const name of classes) of[name] = counts[name]
  return of
}

/** The `retention` of `apply --json`. */
export const shorterTermsResult = ({ classes, due, nextDueAt }: ShorterTerms) =>
  Object.fromEntries(
    classes.map((name) => {
      const at = nextDueAt[name]
      return [name, { due: due[name], nextDueAt: due[name] > 0 || at === null ? null : new Date(at).toISOString() }]
    }),
  )

export function shorterTermsText({ classes, due, nextDueAt, clock }: ShorterTerms, dryRun: boolean): string {
  const dueText = countsText(due)
  const doubt = clock.isBelieved ? [] : Object.values(clockDoubt(clock))
  const lines = [...(dueText === null ? [] : [goingText(dueText, allOf(due), dryRun)])]
  for (const name of classes) if (due[name] === 0) lines.push(laterText(classWords[name], nextDueAt[name]))
  return [...lines, ...doubt].map((line) => `retention: ${line}\n`).join('')
}

function goingText(dueText: string, records: number, dryRun: boolean): string {
  const when = 'within an hour, another when it starts'
  if (dryRun) return `${dueText} would be due: a running \`serve\` would delete them ${when}.`
  const are = records === 1 ? 'is' : 'are'
  return `${dueText} ${are} due: a running \`serve\` deletes them ${when}. To keep them, apply a longer [retention] before.`
}

const laterText = (words: string, at: number | null): string =>
  at === null ? `there are no ${words} that could be due.` : `no ${words} are due before ${timestamp(at)}.`
