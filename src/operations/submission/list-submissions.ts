import type { StoredAccount } from '../../account/account.ts'
import type { LedgerRow } from '../../ledger/ledger.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { type SubmissionRecord, submissionRecord } from '../../report/record.ts'
import type { SubmissionPlace, SubmissionQuery } from '../../report/submission-reader.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { catchUp } from '../record/catch-up.ts'
import { type OnRecordNotice, readingNotices } from '../record/record-notice.ts'
import { refusalAdvice } from '../refusals/refusal-advice.ts'

export interface SubmissionsWanted extends Pick<SubmissionQuery, 'which' | 'since' | 'limit'> {
  account: string
  /** Absent: from the latest on. */
  behind?: SubmissionPlace | null
  /** Looked for in everything that is exported of a submission, whatever its case. */
  q?: string | undefined
  /** What the caller may see of each record: a search looks at nothing else. */
  shown?: (record: SubmissionRecord) => SubmissionRecord
  /** Of one form alone. */
  form?: string | undefined
  /** Which of these are wanted, by what the caller keeps about submissions. */
  chosen?: (submissionIds: readonly string[]) => Promise<(submissionId: string) => boolean>
}

export interface ListedSubmissions {
  account: string
  /** Latest first. */
  records: SubmissionRecord[]
  /** Where the next page begins; `null`: this is the last. */
  next: SubmissionPlace | null
  /** How far a search looked, if it stopped before it found a whole page; `null`: it did not stop. */
  stopped: { looked: number; backTo: number } | null
  /** Advice for each check that refused one of them. */
  advice: { check: string; advice: string }[]
}

/**
 * The latest submissions of an account, without those of the hosted test page.
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function listSubmissions(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions' | 'facts'>,
  { account: handle, ...query }: SubmissionsWanted,
  onNotice: OnRecordNotice,
): Promise<ListedSubmissions> {
  const account = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  const { onUnreadable, onUnknown } = readingNotices(onNotice)
  const found = await matching(query, async (behind, limit) => {
    const rows = await box.submissions.latest({ ...query, behind, limit, accountId: account.id, onUnreadable })
    const chosen = await chosenRows(rows, query)
    // What processing found out is read of those alone that may be shown.
    const facts = await box.facts.about(account.id, chosen, onUnknown)
    const placed = chosen.flatMap((row, at) =>
      row.entry.kind === 'submission'
        ? [{ record: submissionRecord(row.entry, facts[at] ?? noFacts), place: placeOf(row) }]
        : [],
    )
    return { placed, last: rows.length < limit ? null : placeOf(rows.at(-1)) }
  })
  return { account: account.handle, ...found, advice: adviceFor(found.records, account) }
}

const placeOf = (row: LedgerRow | undefined): SubmissionPlace | null =>
  row === undefined ? null : { receivedAt: row.entry.receivedAt, cursor: row.cursor }

async function chosenRows(
  rows: readonly LedgerRow[],
  { form, chosen }: Pick<SubmissionsWanted, 'form' | 'chosen'>,
): Promise<LedgerRow[]> {
  const isChosen = await chosen?.(rows.map(({ entry }) => entry.id))
  return rows.filter(
    ({ entry }) =>
      (form === undefined || (entry.kind === 'submission' && entry.formId === form)) && isChosen?.(entry.id) !== false,
  )
}

/** What one look found. */
interface Looked {
  placed: { record: SubmissionRecord; place: SubmissionPlace | null }[]
  /** Up to where it looked; `null`: to the end. */
  last: SubmissionPlace | null
}

/** Submissions looked through for one page of a search; those behind them are the next page's. */
const searchedMax = 10_000
const searchedAtOnce = 250

/** A page of a search may be empty and have a next one: it ends when enough was looked through. */
async function matching(
  query: Omit<SubmissionsWanted, 'account'>,
  look: (behind: SubmissionPlace | null, limit: number) => Promise<Looked>,
): Promise<Pick<ListedSubmissions, 'records' | 'next' | 'stopped'>> {
  const { q, form, chosen, limit, behind = null, shown = (record) => record } = query
  const isSearch = q !== undefined || form !== undefined || chosen !== undefined
  const atOnce = isSearch ? searchedAtOnce : limit
  const records: SubmissionRecord[] = []
  let next = behind
  let looked = 0
  for (; looked < searchedMax; looked += atOnce) {
    const { placed, last } = await look(next, atOnce)
    for (const { record: whole, place } of placed) {
      const record = shown(whole)
      if (isWanted(record, { q, form })) records.push(record)
      if (records.length === limit) return { records, next: place, stopped: null }
    }
    if (last === null) return { records, next: null, stopped: null }
    next = last
  }
  return { records, next, stopped: next && { looked, backTo: next.receivedAt } }
}

/** Whether a search for a text, or in a form, finds the submission. */
export function isWanted(record: SubmissionRecord, { q, form }: Pick<SubmissionsWanted, 'q' | 'form'>): boolean {
  if (form !== undefined && record.formId !== form) return false
  return q === undefined || JSON.stringify(record).toLowerCase().includes(asInJson(q))
}

/** Quotes and line ends of a search are those within a value. */
const asInJson = (text: string): string => JSON.stringify(text.toLowerCase()).slice(1, -1)

/** One piece of advice for each check, however many submissions it refused. */
function adviceFor(records: SubmissionRecord[], { settings }: StoredAccount): ListedSubmissions['advice'] {
  const refused = records.filter(({ status }) => status === 'refused')
  const checks = new Set(refused.flatMap(({ refusedFor }) => refusedFor ?? []))
  return [...checks].map((check) => ({
    check,
    advice: refusalAdvice({ endpoint: 'form', check, origin: '', count: 1 }, settings),
  }))
}
