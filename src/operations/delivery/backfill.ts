import { Type } from '@sinclair/typebox'
import { type Destination, receivesSubmission, waitsForConfirmation } from '../../account/destination.ts'
import { parseInstant } from '../../lib/age.ts'
import { OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { count, flag, text } from '../../lib/schema.ts'
import { exportedRecords } from '../../report/export.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import { type DestinationWanted, destinationNamed } from './destinations.ts'

type BackfilledBox = Pick<Box, 'accounts' | 'processing' | 'ledger' | 'facts' | 'persons' | 'deliveries' | 'clock'>

interface BackfillWanted extends DestinationWanted {
  /** ISO 8601, or an age such as `30d`. */
  since: string
}

/** Looked up and written at once, in a few milliseconds. */
const submissionsAtOnce = 200

/** How many submissions a backfill would send. @throws OperatorError */
export async function countBackfill(box: BackfilledBox, wanted: BackfillWanted): Promise<number> {
  const { accountId, batches } = await earlier(box, wanted)
  let submissions = 0
  for await (const ids of batches) submissions += await box.deliveries.countUnsent(accountId, wanted.destination, ids)
  return submissions
}

/** Sends what came before the destination, each once: whatever was cut off is finished by doing it again. */
export const backfillDestination = defineAct({
  name: 'destination.backfill',
  text: 'Send a destination the submissions that came before it, each once, marked as backfilled',
  of: 'account',
  scope: 'admin',
  input: Type.Object({
    destination: text,
    since: Type.String({
      maxLength: 40,
      description: 'ISO 8601 (2026-11-20, 2026-11-20T09:30:00Z) or an age (30d, 12h)',
    }),
  }),
  answer: Type.Object({ account: text, destination: text, since: text, submissions: count, paused: flag }),
  subject: ({ destination }) => destination,
  async run(box: BackfilledBox & Pick<Box, 'isServed'>, wanted: BackfillWanted) {
    const { account, destination } = wanted
    const { accountId, batches, since } = await earlier(box, wanted)
    let submissions = 0
    for await (const ids of batches)
      submissions += await box.deliveries.backfill(accountId, { name: destination, ids, now: box.clock.now() })
    const reports = await box.deliveries.destinations(accountId)
    const paused = reports.some((report) => report.destination.name === destination && report.pause !== null)
    const answer = { account, destination, since: new Date(since).toISOString(), submissions, paused }
    return { answer, isServed: box.isServed() }
  },
})

/** Ids of the submissions that the destination would have got had it been there, in order of receipt. */
async function earlier(box: BackfilledBox, { account: handle, destination: name, since: written }: BackfillWanted) {
  const since = parseInstant(written, box.clock.now())
  if (since === null)
    throw new UnfitInput('"since" takes an ISO 8601 time (2026-11-20T09:30:00Z) or an age (30d, 12h).')
  const destination = destinationNamed(await accountNamed(box.accounts, handle), name)
  const { id: accountId } = await accountCaughtUp(box, handle, () => {})
  const report = (await box.deliveries.destinations(accountId)).find((listed) => listed.destination.name === name)
  if (report === undefined || !('forms' in destination))
    throw new OperatorError(`"${name}" is of the kind "${destination.kind}", which gets no submissions.`)
  const records = exportedRecords({
    ...{ ledger: box.ledger, facts: box.facts, accountId, what: 'submissions' as const },
    ...{ since, until: report.createdAt, include: 'accepted' as const, test: false },
  })
  return { accountId, since, batches: inBatches(wantedIds(records, destination)) }
}

async function* wantedIds(records: AsyncIterable<SubmissionRecord>, destination: Destination): AsyncGenerator<string> {
  for await (const record of records) {
    if (waitsForConfirmation(destination) && record.confirmedAt === null) continue
    if (receivesSubmission(destination, record, record.duplicateOf !== null)) yield record.submissionId
  }
}

async function* inBatches(ids: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const id of ids) {
    batch.push(id)
    if (batch.length < submissionsAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
