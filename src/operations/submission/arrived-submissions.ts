import type { StoredAccount } from '../../account/account.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { type SubmissionRecord, submissionRecord } from '../../report/record.ts'
import type { Box } from '../box.ts'
import { matchesSearch, type SubmissionsWanted } from './list-submissions.ts'

export interface ArrivedSubmissions {
  /** In the order in which they came, as far as they are wanted. */
  records: SubmissionRecord[]
  /** From where to look next time. */
  cursor: string
}

type Wanted = Pick<SubmissionsWanted, 'which' | 'q' | 'form' | 'shown'>

/** The submissions that arrived behind a cursor of an earlier look, of those that a list would show; `null`: from now on. */
export async function arrivedSubmissions(
  { submissions, facts }: Pick<Box, 'submissions' | 'facts'>,
  { id: accountId }: Pick<StoredAccount, 'id'>,
  { after, which, q, form, shown = (record) => record }: Wanted & { after: string | null },
): Promise<ArrivedSubmissions> {
  const { rows, cursor } = await submissions.arrived(accountId, after)
  if (rows.length === 0) return { records: [], cursor }
  const known = await facts.about(accountId, rows)
  const records = rows.flatMap(({ entry }, at) =>
    entry.kind === 'submission' ? [shown(submissionRecord(entry, known[at] ?? noFacts))] : [],
  )
  const isOfList = ({ status }: SubmissionRecord) => which === 'all' || which === status
  return { records: records.filter((record) => isOfList(record) && matchesSearch(record, { q, form })), cursor }
}
