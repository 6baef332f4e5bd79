import type { Cursor } from '../ledger/ledger.ts'
import type { KnownPerson, PersonReader, PersonRow } from './person-reader.ts'
import { type PersonRecord, personRecord } from './person-record.ts'

interface PersonExportOptions {
  persons: Pick<PersonReader, 'page'>
  accountId: string
  /** Last seen from this instant on, epoch milliseconds; `null`: whenever. */
  since: number | null
  /** Last seen before this instant, epoch milliseconds; `null`: up to now. */
  until: number | null
}

/** Limits how many persons are in memory at a time. */
const pageRows = 64

/** The persons of an account in the order in which they became known, read page by page. */
export async function* exportedPersons(options: PersonExportOptions): AsyncGenerator<PersonRecord> {
  let after: Cursor | null = null
  for (;;) {
    const rows: PersonRow[] = await options.persons.page({ accountId: options.accountId, after, limit: pageRows })
    for (const { person } of rows) if (isWithin(person, options)) yield personRecord(person)
    after = rows.at(-1)?.cursor ?? null
    if (rows.length < pageRows) return
  }
}

/** A person without records was seen at an unknown time and falls into no period. */
function isWithin({ lastSeenAt }: KnownPerson, { since, until }: PersonExportOptions): boolean {
  if (lastSeenAt === null) return since === null && until === null
  return (since === null || lastSeenAt >= since) && (until === null || lastSeenAt < until)
}
