import type { ConfirmationEntry, ReleaseEntry } from '../../src/ledger/decision.ts'
import type { Click, Entry, PageView, RequestSource, Submission, TrackedEvent } from '../../src/ledger/entry.ts'
import type { Ledger, LedgerQuery } from '../../src/ledger/ledger.ts'
import type { Touch } from '../../src/processing/attribution/touch.ts'
import { type EntryFacts, type FactReader, noFacts, type SubmissionFacts } from '../../src/report/entry-facts.ts'
import type { KnownPerson } from '../../src/report/person-reader.ts'

export const source: RequestSource = {
  ip: '203.0.113.7',
  userAgent: 'Agent/1.0',
  origin: 'https://www.acme.example',
  referer: null,
  host: 'go.acme.example',
}

const base = { accountId: 'account-a', receivedAt: Date.UTC(2026, 10, 20, 9, 30, 0, 5), test: false, source }

export const submission = (overrides: Partial<Submission> = {}): Submission => ({
  ...base,
  kind: 'submission',
  id: 'submission-1',
  formId: 'contact1',
  formVersion: 3,
  status: 'accepted',
  refusedFor: null,
  email: 'ada@acme.example',
  deviceId: 'device-1',
  consentTextId: 'privacy-2026-01',
  honeypot: { field: '_hp', value: '' },
  botCheck: { required: false, provider: null, verified: false },
  fields: { email: 'Ada@acme.example', message: 'Hello' },
  ...overrides,
})

export const trackedEvent = (overrides: Partial<TrackedEvent> = {}): TrackedEvent => ({
  ...base,
  kind: 'event',
  id: 'event-1',
  event: 'signed up',
  deviceId: 'device-1',
  properties: { plan: 'pro' },
  traits: null,
  attribution: { utm_source: 'mail' },
  consent: 'header',
  ...overrides,
})

export const pageView = (overrides: Partial<PageView> = {}): PageView => ({
  ...base,
  kind: 'page_view',
  id: 'view-1',
  deviceId: 'device-1',
  slug: 'launch',
  sha256: 'ab'.repeat(32),
  url: 'https://go.acme.example/launch',
  path: '/launch',
  host: 'go.acme.example',
  attribution: {},
  ...overrides,
})

export const click = (overrides: Partial<Click> = {}): Click => ({
  ...base,
  kind: 'click',
  id: 'click-1',
  deviceId: 'device-1',
  message: 'november',
  recipient: 'opaque',
  sentAt: Date.UTC(2026, 10, 19),
  url: 'https://go.acme.example/launch',
  attribution: {},
  verdict: 'suspected',
  reasons: ['fast'],
  evidence: { method: 'GET', headers: { accept: '*/*' } },
  ...overrides,
})

/** The release of a submission, at an instant in epoch milliseconds. */
export const released = (id: string, at: number): ReleaseEntry => ({
  kind: 'release',
  id,
  accountId: base.accountId,
  receivedAt: at,
})

/** The confirmation of a submission by its visitor. */
export const confirmed = (id: string, at: number): ConfirmationEntry => ({
  kind: 'confirmation',
  id,
  accountId: base.accountId,
  receivedAt: at,
})

export const touch = (overrides: Partial<Touch> = {}): Touch => ({
  at: '2026-11-19T08:00:00.000Z',
  via: 'page_view',
  source: 'newsletter',
  medium: 'email',
  campaign: 'spring',
  term: null,
  content: null,
  clickIds: {},
  referrer: null,
  url: 'https://go.acme.example/launch',
  ...overrides,
})

export const submissionFinding = (overrides: Partial<SubmissionFacts> = {}): SubmissionFacts => ({
  isReleased: false,
  isRefused: false,
  confirmedAt: null,
  first: null,
  last: null,
  duplicateOf: null,
  page: null,
  version: null,
  ...overrides,
})

export const knownPerson = (overrides: Partial<KnownPerson> = {}): KnownPerson => ({
  id: 'person-1',
  email: 'ada@acme.example',
  traits: { name: 'Ada' },
  firstSeenAt: Date.UTC(2026, 10, 19, 8),
  lastSeenAt: Date.UTC(2026, 10, 20, 9, 30, 0, 5),
  deviceIds: ['device-1'],
  first: touch({ source: 'google', medium: 'organic' }),
  last: touch(),
  submissions: 1,
  events: 2,
  ...overrides,
})

/** What is known of entries by their id; of any other nothing. */
export const factsOf = (known: Record<string, Partial<EntryFacts>> = {}): FactReader => ({
  about: async (_accountId, rows) => rows.map(({ entry }) => ({ ...noFacts, ...known[entry.id] })),
})

export interface ArrayLedger extends Ledger {
  /** Every question it was asked. */
  queries: LedgerQuery[]
}

/** A ledger that reads from an array, in its order; its cursors are opaque to whoever reads. */
export function ledgerOf(entries: Entry[]): ArrayLedger {
  const queries: LedgerQuery[] = []
  return {
    queries,
    append: () => Promise.reject(new Error('only read from')),
    appendSoon: () => Promise.reject(new Error('only read from')),
    async readAfter(query) {
      queries.push(query)
      const from = query.after === null ? 0 : Number(query.after.slice('row '.length)) + 1
      const rows = []
      for (let index = from; index < entries.length && rows.length < query.limit; index++) {
        const entry = entries[index]
        if (entry && isWanted(entry, query)) rows.push({ cursor: `row ${index}`, entry })
      }
      return rows
    },
  }
}

const isWanted = (entry: Entry, query: LedgerQuery): boolean =>
  entry.accountId === query.accountId &&
  (query.kinds?.includes(entry.kind) ?? true) &&
  entry.receivedAt >= (query.receivedFrom ?? Number.NEGATIVE_INFINITY) &&
  entry.receivedAt < (query.receivedBefore ?? Number.POSITIVE_INFINITY)
