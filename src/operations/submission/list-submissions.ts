import type { StoredAccount } from '../../account/account.ts'
import type { LedgerRow } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { type SubmissionRecord, submissionRecord } from '../../report/record.ts'
import type { SearchedSubmissions, SubmissionPlace, SubmissionQuery } from '../../report/submission-reader.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import { searchMsMax } from '../record/page-in-time.ts'
import { refusalAdvice } from '../refusals/refusal-advice.ts'

export interface SubmissionsWanted extends Pick<SubmissionQuery, 'which' | 'form' | 'state' | 'since' | 'limit'> {
  account: string
  /** Absent: from the latest on. */
  behind?: SubmissionPlace | null
  /** Looked for in every value that is exported of a submission, whatever its case. */
  q?: string | undefined
}

export interface ListedSubmissions {
  account: string
  /** Latest first. */
  records: SubmissionRecord[]
  /** Where the next page begins; `null`: this is the last. */
  next: SubmissionPlace | null
  /** How far a search looked, epoch milliseconds of receipt, if it took its time before it found a whole page; else `null`. */
  stopped: { backTo: number } | null
  /** Advice for each check that refused one of them. */
  advice: { check: string; advice: string }[]
}

/**
 * The latest submissions of an account, without those of the hosted test page.
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function listSubmissions(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts' | 'clock'>,
  { account: handle, ...query }: SubmissionsWanted,
  onNotice: OnRecordNotice,
): Promise<ListedSubmissions> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const text = query.q === undefined ? undefined : asInJson(query.q)
  const found = await matching(query, box.clock, async (behind, limit) => {
    const wanted = { ...query, text, behind, limit, accountId: account.id }
    const { rows, last } = await box.submissions.search(wanted)
    // What processing found out is read of those alone that may be shown.
    const facts = await box.facts.about(account.id, rows)
    const placed = rows.flatMap((row, at) =>
      row.entry.kind === 'submission'
        ? [{ record: submissionRecord(row.entry, facts[at] ?? noFacts), place: placeOf(row) }]
        : [],
    )
    return { placed, last }
  })
  return { account: account.handle, ...found, advice: adviceFor(found.records, account) }
}

const placeOf = ({ cursor, entry }: LedgerRow): SubmissionPlace => ({ receivedAt: entry.receivedAt, cursor })

/** What one look found. */
interface Looked extends Pick<SearchedSubmissions, 'last'> {
  placed: { record: SubmissionRecord; place: SubmissionPlace }[]
}

/** A page of a search may have few or none and a next one: it ends when the search took its time. */
async function matching(
  { q, state, limit, behind = null }: Omit<SubmissionsWanted, 'account'>,
  clock: Clock,
  look: (behind: SubmissionPlace | null, limit: number) => Promise<Looked>,
): Promise<Pick<ListedSubmissions, 'records' | 'next' | 'stopped'>> {
  // Without a search nearly all are wanted: only unreadable ones are made up for.
  const isSearch = q !== undefined || state !== undefined
  const begunMs = clock.monotonicMs()
  const records: SubmissionRecord[] = []
  let next = behind
  do {
    const { placed, last } = await look(next, limit - records.length)
    for (const { record, place } of placed) {
      if (matchesSearch(record, { q })) records.push(record)
      if (records.length === limit) return { records, next: place, stopped: null }
    }
    if (last === null) return { records, next: null, stopped: null }
    next = last
  } while (!isSearch || clock.monotonicMs() - begunMs < searchMsMax)
  return { records, next, stopped: { backTo: next.receivedAt } }
}

/** Whether a list that is filtered like this shows the submission. */
function matchesSearch(record: SubmissionRecord, { q, form }: Pick<SubmissionsWanted, 'q' | 'form'>): boolean {
  if (form !== undefined && record.formId !== form) return false
  return q === undefined || holdsText(record, asInJson(q))
}

/** Whether one of the values has the text; names of fields, which all submissions share, are no values. */
function holdsText(value: unknown, text: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsText(item, text))
  // A number that keeps its digits is an object, which JSON knows how to write.
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return Object.values(value).some((item) => holdsText(item, text))
  return value !== null && value !== undefined && JSON.stringify(value).toLowerCase().includes(text)
}

/** As a value has it: quotes and line ends are escaped there. */
const asInJson = (text: string): string => JSON.stringify(text.toLowerCase()).slice(1, -1)

/** One piece of advice for each check, however many submissions it refused. */
function adviceFor(records: SubmissionRecord[], { settings }: StoredAccount): ListedSubmissions['advice'] {
  const refused = records.filter(({ status }) => status === 'refused')
  // An operator knows why.
  const checks = new Set(refused.flatMap(({ refusedFor }) => (refusedFor === 'operator' ? [] : (refusedFor ?? []))))
  return [...checks].map((check) => ({
    check,
    advice: refusalAdvice({ endpoint: 'form', check, origin: '', count: 1 }, settings),
  }))
}

interface ArrivedSubmissions {
  /** In the order in which they came, as far as they are wanted. */
  records: SubmissionRecord[]
  /** From where to look next time. */
  cursor: string
}

type Wanted = Pick<SubmissionsWanted, 'which' | 'q' | 'form'>

/** The submissions that arrived behind a cursor of an earlier look, of those that a list would show; `null`: from now on. */
export async function arrivedSubmissions(
  { submissions, facts }: Pick<Box, 'submissions' | 'facts'>,
  { id: accountId }: Pick<StoredAccount, 'id'>,
  { after, which, q, form }: Wanted & { after: string | null },
): Promise<ArrivedSubmissions> {
  const { rows, cursor } = await submissions.arrived(accountId, after)
  if (rows.length === 0) return { records: [], cursor }
  const known = await facts.about(accountId, rows)
  const records = rows.flatMap(({ entry }, at) =>
    entry.kind === 'submission' ? [submissionRecord(entry, known[at] ?? noFacts)] : [],
  )
  const isOfList = ({ status }: SubmissionRecord) => which === 'all' || which === status
  return { records: records.filter((record) => isOfList(record) && matchesSearch(record, { q, form })), cursor }
}
