import type { RetentionSettings } from '../../account/account.ts'
import { noRecords, type RetentionClass, type RetentionCounts } from '../../processing/retention.ts'
import type { RetentionKeeper, RetentionOutlook } from '../../processing/retention-keeper.ts'
import type { Box } from '../box.ts'

/** Records that become due, for the classes whose term is new or shorter. */
export type ShorterTerms = RetentionOutlook & { classes: RetentionClass[]; clock: ReturnType<RetentionKeeper['clock']> }

const daysOf = (terms: RetentionSettings): Record<RetentionClass, number> => ({
  submissions: terms.submissionsDays ?? Number.POSITIVE_INFINITY,
  events: terms.eventsDays ?? Number.POSITIVE_INFINITY,
  refused: terms.refusedDays,
})

/**
 * Counts the records that an apply of these terms makes due; `null`: no term gets shorter. Call it before the apply, since a
 * running server may delete at once. Retention treats the announcement as the operator's consent.
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
  return { classes, due: only(classes, due), nextDueAt, clock: retention.clock() }
}

function only(classes: RetentionClass[], counts: RetentionCounts): RetentionCounts {
  const of = noRecords()
  for (const name of classes) of[name] = counts[name]
  return of
}
