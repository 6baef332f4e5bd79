import { Database } from 'bun:sqlite'
import { emptyBatch } from '../src/capture/write-batch.ts'
import type { RequestSource, Submission, TrackedEvent } from '../src/ledger/entry.ts'
import { newId } from '../src/lib/id.ts'
import { BatchTransaction } from '../src/storage/sqlite/commit/batch-transaction.ts'
import { encodeEntries, joinEntries } from '../src/storage/sqlite/ledger/ledger-codec.ts'
import { databaseFile } from './database-file.ts'
import { benchSite } from './site.ts'

const entriesPerCommit = 5000
/** A past to spread the entries over, so that they are old when the bench begins. */
const pastMs = 90 * 24 * 3600 * 1000

export interface LedgerFilling {
  events: number
  /** Submissions in quarantine, spread evenly among the events. */
  quarantined?: number
  /** Accepted submissions, spread in the same way. */
  leads?: number
}

/** Stores entries as the server would, by its own commit, without a request for each. No server may run meanwhile. */
export function fillLedger(dataFolder: string, { events, quarantined = 0, leads = 0 }: LedgerFilling): void {
  const file = databaseFile(dataFolder)
  const accountId = benchAccountId(file)
  const transaction = new BatchTransaction(file)
  const start = Date.now() - pastMs
  const all = events + quarantined + leads
  for (let stored = 0; stored < all; stored += entriesPerCommit) {
    const count = Math.min(entriesPerCommit, all - stored)
    const entries = Array.from({ length: count }, (_, position) => {
      const number = stored + position
      const base = { id: newId(), accountId, receivedAt: start + Math.floor((number / all) * pastMs), test: false }
      if (isTurn(number, quarantined, all)) return storedSubmission(base, { number, status: 'refused' })
      if (isTurn(number, quarantined + leads, all)) return storedSubmission(base, { number, status: 'accepted' })
      return storedEvent(base, number)
    })
    transaction.commit([{ ...emptyBatch, entries: joinEntries(encodeEntries(entries)) }], Date.now())
  }
  transaction.close()
  // SQLite lets go of the files when the last statement has gone too: a server that starts meanwhile finds them locked.
  Bun.gc(true)
}

/** Whether the entry of this number is one of `wanted` that are spread evenly among `all`. */
const isTurn = (number: number, wanted: number, all: number): boolean =>
  Math.floor(((number + 1) * wanted) / all) > Math.floor((number * wanted) / all)

function benchAccountId(file: string): string {
  const database = new Database(file, { readonly: true })
  try {
    const row = database
      .query<{ id: string }, [string]>('SELECT id FROM account WHERE handle = ? AND removed_at IS NULL')
      .get(benchSite.account)
    if (!row) throw new Error('the bench account is not in the database')
    return row.id
  } finally {
    database.close()
  }
}

type Base = Pick<Submission, 'id' | 'accountId' | 'receivedAt' | 'test'>

const sourceOf = (number: number): RequestSource => ({
  ip: `198.51.100.${number % 250}`,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  origin: benchSite.origin,
  referer: null,
  host: benchSite.host,
})

function storedEvent(base: Base, number: number): TrackedEvent {
  const path = `/products/${number % 500}`
  return {
    ...base,
    kind: 'event',
    source: sourceOf(number),
    event: 'product_viewed',
    deviceId: newId(),
    properties: { url: `${benchSite.origin}${path}`, path, host: 'www.bench.example', position: number },
    traits: null,
    attribution: { utm_source: 'newsletter' },
    consent: 'cookie',
  }
}

function storedSubmission(base: Base, { number, status }: { number: number } & Pick<Submission, 'status'>): Submission {
  const email = `visitor-${number}@mail.example`
  return {
    ...base,
    kind: 'submission',
    source: sourceOf(number),
    formId: benchSite.formId,
    formVersion: 1,
    status,
    refusedFor: status === 'refused' ? 'honeypot' : null,
    email,
    deviceId: newId(),
    consentTextId: 'privacy-2026-01',
    honeypot: { field: '_hp', value: status === 'refused' ? 'filled in' : '' },
    botCheck: { required: false, provider: null, verified: false },
    fields: {
      email,
      name: `Visitor ${number}`,
      company: 'Bench and Sons',
      message: 'Please send the price list, and tell us when a tour of the workshop would be possible.',
      newsletter: true,
    },
  }
}
