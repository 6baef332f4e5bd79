import type { EntryKind } from '../ledger/entry.ts'
import type { FactReader } from './entry-facts.ts'
import { eventKinds } from './export.ts'
import { eventRecords, type KnownEntry, submissionRecords, withFacts } from './known-records.ts'
import type { PersonReader } from './person-reader.ts'
import type { EventRecord, SubmissionRecord } from './record.ts'

/** The person, and the ports to read their records. */
interface RecordsOf {
  persons: Pick<PersonReader, 'records'>
  facts: FactReader
  accountId: string
  email: string
}

/** The person's submissions as exported, in order of commit; none that is refused. */
export async function* submissionsOf(asked: RecordsOf): AsyncGenerator<SubmissionRecord> {
  for await (const found of foundOf(asked, ['submission'])) yield* submissionRecords(found)
}

/** The person's tracked events, page views and clicks as exported, in order of commit. */
export async function* eventsOf(asked: RecordsOf): AsyncGenerator<EventRecord> {
  for await (const found of foundOf(asked, eventKinds)) yield* eventRecords(found)
}

/** The latest records of the person, latest last. */
export async function latestOf(asked: RecordsOf, latestMax: number): Promise<KnownEntry[]> {
  return (await Array.fromAsync(foundOf(asked, ['submission', ...eventKinds], latestMax))).flat()
}

async function* foundOf(asked: RecordsOf, kinds: EntryKind[], latestMax?: number): AsyncGenerator<KnownEntry[]> {
  const { persons, accountId, email } = asked
  const pages = persons.records({
    accountId,
    email,
    kinds,
    ...(latestMax === undefined ? {} : { latestMax }),
  })
  for await (const rows of pages) yield withFacts(rows, asked)
}
