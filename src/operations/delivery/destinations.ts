import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { type Destination, isReachedByMail } from '../../account/destination.ts'
import type { Publisher } from '../../account/publisher.ts'
import { mintWebhookSecret } from '../../account/webhook-secret.ts'
import type { Config } from '../../config/config.ts'
import type { LoadedParcel } from '../../delivery/carrier.ts'
import type { PauseReason } from '../../delivery/delivery-control.ts'
import type { Lead } from '../../delivery/lead.ts'
import { noMailServer } from '../../delivery/mail/mail-server.ts'
import type { DeliveryKey, DestinationKey } from '../../delivery/outbox.ts'
import { lastWholePeriod } from '../../delivery/report-due.ts'
import type { Submission } from '../../ledger/entry.ts'
import { newId } from '../../lib/id.ts'
import { instantOrNull } from '../../lib/instant.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import { localDay } from '../../lib/local-day.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { count, flag, orNull, text, textOrNull } from '../../lib/schema.ts'
import { nearest } from '../../lib/suggestion.ts'
import { noFacts } from '../../report/entry-facts.ts'
import { submissionRecord } from '../../report/record.ts'
import { deliverySubject } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import { destinationKind, type ShownDestination, shownDestination } from '../account/shown-destination.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { noteChangeHere } from '../key/keys.ts'
import { reportWriter } from '../report/report-document.ts'
import { mailServerOf } from './mail-server-of.ts'

/** A destination, and how it fares. Instants are ISO 8601. */
export interface ListedDestination extends ShownDestination {
  /** Why nothing is sent there; `null`: it is not paused. */
  pauseReason: PauseReason | null
  pausedAt: string | null
  /** Since when nothing but failure; `null`: its latest attempt succeeded, or there was none. */
  failingSince: string | null
  /** When something last got through; `null`: nothing did of the account's latest deliveries. */
  deliveredAt: string | null
  /** Why this box cannot send anything there, with what to do; `null`: it can. */
  obstacle: string | null
}

/** The destinations of an account in order of their names. @throws OperatorError when there is no such account */
export async function listDestinations(
  { accounts, deliveries, config }: Pick<Box, 'accounts' | 'deliveries' | 'config'>,
  account: string,
): Promise<ListedDestination[]> {
  const { id } = await accountNamed(accounts, account)
  return (await deliveries.destinations(id)).map((report) => ({
    ...shownDestination(report),
    pauseReason: report.pause?.reason ?? null,
    pausedAt: instantOrNull(report.pause?.at ?? null),
    failingSince: instantOrNull(report.failingSince),
    deliveredAt: instantOrNull(report.deliveredAt),
    obstacle: obstacleTo(report.destination, config),
  }))
}

/** Why this box cannot send anything to destinations of the kind, with what to do; `null`: it can. */
export const obstacleTo = (destination: Pick<Destination, 'kind'>, { mail }: Pick<Config, 'mail'>): string | null =>
  isReachedByMail(destination) && mailServerOf(mail) === null ? noMailServer : null

/** The account's destination of that name. @throws NotThere that says which one was probably meant */
export function destinationNamed({ handle, destinations }: StoredAccount, name: string): Destination {
  const found = destinations.find((destination) => destination.name === name)
  if (found !== undefined) return found
  const names = destinations.map((destination) => destination.name)
  const meant = nearest(name, names)
  const advice =
    names.length === 0 ? 'It has no destinations: add [[deliveries]] to its site.toml.' : `It has: ${names.join(', ')}.`
  throw new NotThere(
    `The account "${handle}" has no destination "${name}". ${meant === null ? advice : `Did you mean "${meant}"?`}`,
  )
}

/** A destination by its name. */
const destinationWanted = Type.Object({ destination: text })
export type DestinationWanted = Static<typeof destinationWanted> & { account: string }

/** What acts on one destination have in common. */
const onDestination = {
  of: 'account',
  scope: 'admin',
  input: destinationWanted,
  subject: ({ destination }: DestinationWanted) => destination,
} as const

const answer = Type.Object({ account: text, destination: text, paused: flag })

export const pauseDestination = defineAct({
  ...onDestination,
  name: 'destination.pause',
  text: 'Pause a destination; new deliveries wait',
  answer,
  async run(box: Pick<Box, 'accounts' | 'deliveries' | 'clock'>, { account: handle, destination }) {
    const account = await accountNamed(box.accounts, handle)
    await box.deliveries.pause(account.id, destinationNamed(account, destination).name, box.clock.now())
    return { answer: { account: handle, destination, paused: true } }
  },
})

export const resumeDestination = defineAct({
  ...onDestination,
  name: 'destination.resume',
  text: 'Resume a paused destination and send waiting deliveries',
  answer,
  async run(box: Pick<Box, 'accounts' | 'deliveries'>, { account: handle, destination }) {
    const account = await accountNamed(box.accounts, handle)
    await box.deliveries.resume(account.id, destinationNamed(account, destination).name)
    return { answer: { account: handle, destination, paused: false } }
  },
})

/** Why nothing is sent to a destination. */
export const pauseWords: Readonly<Record<PauseReason, string>> = {
  hand: 'an operator has paused it',
  gone: 'it answered 410, which asks for no more deliveries',
  failing: 'nothing but failure came of it for five days',
}

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
    isBackfilled: false,
  }
  return {
    ...{ key: 0 as DestinationKey, accountId: account.id, destination, secrets },
    ...{ deliveries: [delivery], further: 0, mailFrom: account.settings.mailFrom, leads: [lead] },
  }
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
    accountId: account.id,
    accountName: settings.name,
    handle: account.handle,
    domain: settings.domains[0] ?? '',
    timezone: settings.timezone,
    language: settings.language,
    colour: settings.brand.colour,
    credit: settings.brand.credit,
    contact: null,
    formId: submission.formId,
    formName: `${form?.name ?? submission.formId} (test)`,
    fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
    message: exampleMessage,
    replyTo: submission.email,
    receivedAt: now,
    submissionId: submission.id,
    duplicate: false,
    isBackfilled: false,
    link: null,
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

/** `oldSignsUntil`: until when the secret before signs as well. */
export const rotateDeliverySecret = defineAct({
  ...onDestination,
  name: 'destination.secret.rotate',
  text: 'Make a new secret for a webhook and show it once; the old secret also signs for seven days',
  asksAgain: true,
  answer: Type.Object({ account: text, destination: text, secret: text, oldSignsUntil: text }),
  async run(
    box: Pick<Box, 'accounts' | 'deliveries' | 'publications' | 'clock'>,
    { account: handle, destination: name },
    by: Publisher,
  ) {
    const account = await accountNamed(box.accounts, handle)
    const { kind } = destinationNamed(account, name)
    if (kind !== 'webhook')
      throw new OperatorError(`"${name}" is of the kind "${kind}", which has no secret: only webhooks are signed.`)
    const secret = mintWebhookSecret()
    const until = await box.deliveries.replaceSecret(account.id, name, secret, box.clock.now())
    await noteChangeHere(box, { accountId: account.id, subject: deliverySubject(name), by })
    return { answer: { account: handle, destination: name, secret, oldSignsUntil: new Date(until).toISOString() } }
  },
})
