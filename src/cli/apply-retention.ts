import type { RetentionSettings } from '../account/account.ts'
import { noRecords, type RetentionClass, type RetentionCounts } from '../processing/retention.ts'
import type { RetentionOutlook } from '../processing/retention-keeper.ts'
import type { Box } from './open.ts'
import { timestamp } from './output/quantities.ts'
import { classWords, countsText } from './retention-words.ts'

/** What shorter terms make due: of the classes whose term is shorter, or whose first it is. */
export type ShorterTerms = RetentionOutlook & { classes: RetentionClass[] }

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
  { accounts, retention }: Pick<Box, 'accounts' | 'retention'>,
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
  return { classes, due: only(classes, due), nextDueAt }
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

export function shorterTermsText({ classes, due, nextDueAt }: ShorterTerms, dryRun: boolean): string {
  const counted = countsText(due)
  const gone =
    counted === null
      ? []
      : [
          dryRun
            ? `retention: ${counted} would be due: a running \`serve\` would delete them within an hour, another when it starts.`
            : `retention: ${counted} are due: a running \`serve\` deletes them within an hour, another when it starts. To keep them, apply a longer [retention] before.`,
        ]
  const later = classes
    .filter((name) => due[name] === 0)
    .map((name) => {
      const at = nextDueAt[name]
      return at === null
        ? `retention: of ${classWords[name]} none is there that could be due.`
        : `retention: of ${classWords[name]} none is due before ${timestamp(at)}.`
    })
  return [...gone, ...later].map((line) => `${line}\n`).join('')
}
