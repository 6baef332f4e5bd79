import type { RefusalEntry } from '../../ledger/decision.ts'
import { figuresOfEntry } from '../figures/measures.ts'
import type { ProcessedAccount } from '../ledger-item.ts'
import type { ProcessingState } from '../processing-state.ts'

/**
 * From now on, a submission that counted is as if it had been refused on receipt: nobody's, in no figure, sent nowhere. Takes back
 * what is stored of it, and so is folded in a step of its own; what others owe to it is derived again.
 *
 * @throws if the submission was set aside: its refusal is set aside too, and retried after it
 */
export function processRefusal(
  { id, receivedAt }: RefusalEntry,
  account: ProcessedAccount,
  { submissions, figures }: Pick<ProcessingState, 'submissions' | 'figures'>,
): void {
  const kept = submissions.kept({ accountId: account.id, id })
  // Retention or an erasure has deleted it, or it is in quarantine.
  if (kept === null || kept.submission.test || (kept.isProcessed && kept.isRefused)) return
  if (!kept.isProcessed) throw new Error('the submission was set aside')
  for (const figure of figuresOfEntry({ hit: null, click: null, ...submissions.counting(kept.key) }))
    figures.add(account.id, { ...figure, count: -1 })
  submissions.withdraw({ key: kept.key, submission: kept.submission, refusedAt: receivedAt })
}
