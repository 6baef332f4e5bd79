import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import type { Destination } from '../../account/destination.ts'
import type { LoadedParcel } from '../../delivery/carrier.ts'
import type { Lead } from '../../delivery/lead.ts'
import type { DeliveryKey, DestinationKey } from '../../delivery/outbox.ts'
import { lastWholePeriod } from '../../delivery/report-due.ts'
import type { Submission } from '../../ledger/entry.ts'
import { newId } from '../../lib/id.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import { localDay } from '../../lib/local-day.ts'
import { count, flag, orNull, text, textOrNull } from '../../lib/schema.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { submissionRecord } from '../../report/record.ts'
import { accountNamed } from '../account/account-named.ts'
import { destinationKind } from '../account/shown-destination.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { reportWriter } from '../report/report-document.ts'
import { destinationNamed } from './destination-named.ts'
import { onDestination } from './pause-destination.ts'

type TestingBox = Pick<Box, 'accounts' | 'deliveries' | 'clock' | 'carriers' | 'figures' | 'processing'>

/** Sends a marked example to a destination, paused or not, and keeps nothing of it. */
export const testDestination = defineAct({
  ...onDestination,
  name: 'destination.test',
  text: 'Send a marked example to a destination now, and read the exchange',
  answer: Type.Object({
    account: text,
    destination: text,
    kind: destinationKind,
    delivered: flag,
    status: orNull(count),
    error: textOrNull,
    exchange: text,
  }),
  async run(box: TestingBox, { account: handle, destination: name }) {
    const { accounts, deliveries, clock, carriers } = box
    const account = await accountNamed(accounts, handle)
    const destination = destinationNamed(account, name)
    const now = clock.now()
    const secrets = await deliveries.secrets(account.id, name, now)
    const carrier = (await carriers())[destination.kind]
    const report = await exampleReport(account, destination, box)
    const parcel = { ...exampleParcel(account, destination, { secrets, now }), report }
    const { outcome, status, error, exchange } = await carrier.attempt(parcel, carrier.body(parcel))
    const delivered = outcome === 'delivered'
    return {
      answer: { account: handle, destination: name, kind: destination.kind, delivered, status, error, exchange },
    }
  },
})

/** The last period that is over, with the account's own figures. */
async function exampleReport(account: StoredAccount, destination: Destination, box: TestingBox) {
  if (destination.kind !== 'report') return null
  const today = localDay(box.clock.now(), account.settings.timezone)
  const waiting = async (): Promise<number> => (await box.processing.state()).waiting
  const period = lastWholePeriod(destination.every, today)
  return reportWriter({ ...box, waiting }).letter({ accountId: account.id, period, isExample: true })
}

function exampleParcel(
  account: StoredAccount,
  destination: Destination,
  { secrets, now }: { secrets: string[]; now: number },
): Omit<LoadedParcel, 'report'> {
  const lead = exampleLead(account, destination, now)
  const delivery = {
    key: 0 as DeliveryKey,
    id: newId(),
    submissionId: lead.submissionId,
    formId: lead.formId,
    period: null,
    createdAt: now,
    scheduleStep: 0,
    nextAt: now,
    body: null,
  }
  const parcel = { key: 0 as DestinationKey, accountId: account.id, destination, secrets, deliveries: [delivery] }
  return { ...parcel, leads: [lead] }
}

const exampleMessage = 'This is a test. It was sent by `capture delivery test`, and nobody has filled in a form.'

function exampleLead(account: StoredAccount, destination: Destination, now: number): Lead {
  const { settings, forms } = account
  const wanted = 'forms' in destination ? destination.forms?.[0] : undefined
  const form = forms.find(({ id }) => id === wanted) ?? forms[0]
  const fields = { email: 'test@example.com', message: exampleMessage }
  const submission = exampleSubmission(account, {
    formId: form?.id ?? 'example1',
    version: form?.version ?? 1,
    fields,
    now,
  })
  return {
    accountName: settings.name,
    handle: account.handle,
    domain: settings.domains[0] ?? '',
    timezone: settings.timezone,
    colour: settings.brand.colour,
    contact: null,
    formId: submission.formId,
    formName: `${form?.name ?? submission.formId} (test)`,
    fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
    replyTo: submission.email,
    receivedAt: now,
    submissionId: submission.id,
    duplicate: false,
    record: JSON.parse(JSON.stringify(submissionRecord(submission, noFacts))) as JsonObject,
  }
}

interface Example {
  formId: string
  version: number
  fields: JsonObject
  now: number
}

/** Marked as what the hosted test page sends: `test` is true. */
const exampleSubmission = ({ id, settings }: StoredAccount, { formId, version, fields, now }: Example): Submission => ({
  kind: 'submission',
  id: newId(),
  accountId: id,
  receivedAt: now,
  test: true,
  source: { ip: null, userAgent: null, origin: null, referer: null, host: settings.domains[0] ?? '' },
  formId,
  formVersion: version,
  status: 'accepted',
  refusedFor: null,
  email: 'test@example.com',
  deviceId: null,
  consentTextId: null,
  honeypot: null,
  botCheck: { required: false, provider: null, verified: false },
  fields,
})
