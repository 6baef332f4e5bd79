import type { RetentionSettings } from '../../account/account.ts'
import {
  noRecords,
  type RetentionClass,
  type RetentionCounts,
  type RetentionKeeper,
  type RetentionOutlook,
} from '../../processing/retention.ts'
import { shorterTermsOf } from '../../site/plan.ts'
import type { Box } from '../box.ts'

/** Records that become due, for the classes whose term is new or shorter. */
export type ShorterTerms = RetentionOutlook & { classes: RetentionClass[]; clock: ReturnType<RetentionKeeper['clock']> }

/**
 * Counts the records that an apply of these terms makes due; `null`: no term gets shorter. Call it before the apply, since a
 * running server may delete at once.
 *
 * @param isAnnounced the apply follows: retention treats that as the operator's consent
 */
export async function shorterTerms(
  { accounts, retention }: Pick<Box, 'accounts' | 'retention'>,
  { handle, terms, isAnnounced }: { handle: string; terms: RetentionSettings; isAnnounced: boolean },
): Promise<ShorterTerms | null> {
  const account = await accounts.find(handle)
  if (account === null) return null
  const classes = shorterTermsOf(account.settings.retention, terms)
  if (classes.length === 0) return null
  const { due, nextDueAt } = await retention.outlook(account.id, terms)
  if (isAnnounced) await retention.announce(account.id, account.settings.retention)
  return { classes, due: only(classes, due), nextDueAt, clock: retention.clock() }
}

function only(classes: RetentionClass[], counts: RetentionCounts): RetentionCounts {
  const of = noRecords()
  for (const name of classes) of[name] = counts[name]
  return of
}
