import { expect, test } from 'bun:test'
import type { EventRecord, SubmissionRecord } from '../../src/report/record.ts'
import type { AccountTruth } from './count/account-truth.ts'
import { Owners, truePersons } from './count/true-persons.ts'
import type { CameFrom, Happening, Submitted } from './month/happening.ts'
import type { TrueAccount } from './month.ts'

/** What is exported of an account is what was done there, record by record. */
export function testRecords(known: () => TrueAccount): void {
  test('every event, page view and click is exported once, with its device, its person and its verdict', () => {
    const { events, truth, persons } = known()
    const emails = new Map(persons.map(({ personId, email }) => [personId, email]))
    const exported = events.map((event) => ({ ...told(event), person: emailOf(emails, event.personId) }))
    expect(exported.length).toBeGreaterThan(1000)
    expect(inOrder(exported)).toEqual(inOrder(trueEvents(truth)))
  })

  test('every submission is exported once, with its person, where they came from, and what it repeats', () => {
    const { submissions, truth, persons } = known()
    const emails = new Map(persons.map(({ personId, email }) => [personId, email]))
    const times = new Map(submissions.map(({ submissionId, receivedAt }) => [submissionId, receivedAt]))
    const exported = submissions.map((submission) => ({
      ...sent(submission),
      person: emailOf(emails, submission.personId),
      repeats: submission.duplicateOf === null ? null : (times.get(submission.duplicateOf) ?? 'unknown'),
    }))
    expect(exported.some(({ repeats }) => repeats !== null)).toBe(true)
    expect(inOrder(exported)).toEqual(inOrder(trueSubmissions(truth)))
  })

  test('persons are those who said their address, with their devices, traits and counts, and how they came', () => {
    const { persons, truth } = known()
    const exported = persons.map(({ personId: _id, attribution, ...person }) => ({ ...person, ...came(attribution) }))
    const expected = truePersons(truth).map(({ ways, devices, firstSeenAt, lastSeenAt, ...person }) => ({
      ...person,
      deviceIds: devices,
      firstSeenAt: instant(firstSeenAt),
      lastSeenAt: instant(lastSeenAt),
      ...ways,
    }))
    expect(expected.some(({ deviceIds }) => deviceIds.length > 1)).toBe(true)
    expect(inOrder(exported)).toEqual(inOrder(expected))
  })
}

const instant = (at: number): string => new Date(at).toISOString()

const inOrder = (records: object[]): object[] =>
  records
    .map((record) => [sortKey(record), record] as const)
    .toSorted(byFirst)
    .map(([, record]) => record)

const sortKey = (record: object): string => JSON.stringify(Object.entries(record).sort(byFirst))

const byFirst = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0

const emailOf = (emails: Map<string, string>, personId: string | null): string | null =>
  personId === null ? null : (emails.get(personId) ?? 'unknown')

function told({ event, origin, receivedAt, deviceId, properties }: EventRecord): object {
  const click = event === '$click' ? { message: properties.message, verdict: properties.verdict } : {}
  return { event, origin, at: receivedAt, device: deviceId, ...click }
}

function trueEvents(truth: AccountTruth): object[] {
  const owners = new Owners(truth)
  const verdicts = new Map(truth.clicks().map((click) => [click.at, click.verdict]))
  return truth.happenings.flatMap((happening) => {
    if (happening.kind === 'submission' || happening.kind === 'refusal') return []
    const { at, device } = happening
    const click = happening.kind === 'click' ? { message: happening.message, verdict: verdicts.get(at) } : {}
    return [{ ...nameOf(happening), at: instant(at), device, ...click, person: owners.of(happening) }]
  })
}

function nameOf(happening: Happening): { event: string; origin: 'edge' | 'client' } {
  switch (happening.kind) {
    case 'view':
      return { event: '$pageview', origin: happening.edge ? 'edge' : 'client' }
    case 'click':
      return { event: '$click', origin: 'edge' }
    case 'event':
      return { event: happening.name, origin: 'client' }
    default:
      return { event: '$identify', origin: 'client' }
  }
}

/** Of how somebody came only what whoever sent them knows. */
const came = ({ first, last }: SubmissionRecord['attribution']) => ({ first: cameFrom(first), last: cameFrom(last) })

const cameFrom = (touch: CameFrom | null): CameFrom | null =>
  touch && { source: touch.source, medium: touch.medium, campaign: touch.campaign }

const sent = (record: SubmissionRecord) => ({
  at: record.receivedAt,
  form: record.formId,
  status: record.status,
  refusedFor: record.refusedFor,
  email: record.identity.email,
  device: record.deviceId,
  page: record.page?.slug ?? null,
  ...came(record.attribution),
})

function trueSubmissions(truth: AccountTruth): object[] {
  const owners = new Owners(truth)
  return truth.of('submission').map((submission) => ({
    at: instant(submission.at),
    form: submission.form,
    status: submission.isRefused && submission.releasedAt === null ? 'refused' : 'accepted',
    refusedFor: submission.isRefused ? 'honeypot' : null,
    email: submission.email,
    device: submission.device,
    page: submission.page,
    ...truth.waysTo(submission),
    person: owners.of(submission),
    repeats: repeated(submission),
  }))
}

/** What nobody has released is not compared with anything. */
const repeated = ({ repeats, isRefused, releasedAt }: Submitted): string | null =>
  repeats === null || (isRefused && releasedAt === null) ? null : instant(repeats)
