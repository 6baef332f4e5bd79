import { Database } from 'bun:sqlite'
import type { TrackedEvent } from '../src/ledger/entry.ts'
import { newId } from '../src/lib/id.ts'
import { BatchTransaction } from '../src/storage/sqlite/commit/batch-transaction.ts'
import { encodeEntries, joinEntries } from '../src/storage/sqlite/ledger/ledger-codec.ts'
import { databaseFile } from './database-file.ts'
import { benchSite } from './site.ts'

const entriesPerCommit = 5000
/** A past to spread the events over, so that they are old when the bench begins. */
const pastMs = 90 * 24 * 3600 * 1000

/** Stores events as the server would, by its own commit, without a request for each. No server may run meanwhile. */
export function fillLedger(dataFolder: string, events: number): void {
  const file = databaseFile(dataFolder)
  const accountId = benchAccountId(file)
  const transaction = new BatchTransaction(file)
  const start = Date.now() - pastMs
  for (let stored = 0; stored < events; stored += entriesPerCommit) {
    const count = Math.min(entriesPerCommit, events - stored)
    const entries = Array.from({ length: count }, (_, position) => {
      const number = stored + position
      return storedEvent(accountId, number, start + Math.floor((number / events) * pastMs))
    })
    transaction.commit([{ entries: joinEntries(encodeEntries(entries)), refusals: [], spends: [] }], Date.now())
  }
  transaction.close()
  // SQLite lets go of the files when the last statement has gone too: a server that starts meanwhile finds them locked.
  Bun.gc(true)
}

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

function storedEvent(accountId: string, number: number, receivedAt: number): TrackedEvent {
  const path = `/products/${number % 500}`
  return {
    kind: 'event',
    id: newId(),
    accountId,
    receivedAt,
    test: false,
    source: {
      ip: `198.51.100.${number % 250}`,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
      origin: benchSite.origin,
      referer: null,
      host: benchSite.host,
    },
    event: 'product_viewed',
    deviceId: newId(),
    properties: { url: `${benchSite.origin}${path}`, path, host: 'www.bench.example', position: number },
    traits: null,
    attribution: { utm_source: 'newsletter' },
    consent: 'cookie',
  }
}
