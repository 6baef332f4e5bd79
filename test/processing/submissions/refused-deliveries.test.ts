// What a refusal makes of deliveries, and what a release makes of those (docs/deliveries.md).
import { expect, test } from 'bun:test'
import type { Destination } from '../../../src/account/destination.ts'
import type { Attempt, DestinationKey, Parcel } from '../../../src/delivery/outbox.ts'
import type { RefusalEntry } from '../../../src/ledger/decision.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { ailingDestinations } from '../../../src/storage/sqlite/account/destination-rows.ts'
import { SqliteSigningKeyStore } from '../../../src/storage/sqlite/account/signing-key-store.ts'
import { SqliteDeliveryControl } from '../../../src/storage/sqlite/delivery/delivery-control.ts'
import { SqliteOutbox } from '../../../src/storage/sqlite/delivery/outbox.ts'
import { released } from '../../report/sample-entries.ts'
import { minuteMs, noon, ProcessedLedger, sent } from './processed-ledger.ts'

const at = (minutes: number): number => noon + minutes * minuteMs
const refusal = (minutes: number): RefusalEntry => ({
  kind: 'refusal',
  id: 'at-0',
  accountId: 'account-a',
  receivedAt: at(minutes),
})
const mail = { subject: 'Please confirm', text: 'Thank you.' }
const ask: Destination = { kind: 'confirm', name: 'confirm:contact1', formId: 'contact1', mail, confirmed: false }
const to = ['team@acme.example']
const team: Destination = { kind: 'mail', name: 'team', to, forms: null, when: null, confirmed: false }
const passed = { required: true, provider: 'altcha', verified: true }

const unanswered: Attempt = { outcome: 'failed', status: null, error: 'Away.', retryAfterMs: null, exchange: '' }
const taken: Attempt = { ...unanswered, outcome: 'delivered', status: 250, error: null }

/** A lead that waits to be sent to one destination. */
async function waiting(definition: Destination): Promise<ProcessedLedger> {
  const ledger = new ProcessedLedger()
  await SqliteSigningKeyStore.open(ledger.connection, systemClock)
  ledger.connection.raw.run('INSERT INTO destination (account_row, name, definition, created_at) VALUES (1, ?, ?, 0)', [
    definition.name,
    JSON.stringify(definition),
  ])
  ledger.capture(sent(0, { botCheck: passed }))
  return ledger
}

async function begin(
  { connection }: ProcessedLedger,
  minutes: number,
): Promise<{ outbox: SqliteOutbox; parcel: Parcel }> {
  const outbox = new SqliteOutbox(connection)
  const parcel = await outbox.take(1 as DestinationKey, { now: at(minutes), underWay: new Set() })
  if (parcel === null) throw new Error('nothing is due')
  await outbox.begin([{ parcel, body: '{}' }], at(minutes))
  return { outbox, parcel }
}

async function attempt(ledger: ProcessedLedger, minutes: number, outcome: Attempt): Promise<void> {
  const { outbox, parcel } = await begin(ledger, minutes)
  await outbox.settle([{ parcel, attempt: outcome, at: at(minutes), nextAt: [at(minutes + 60)] }])
}

const states = ({ connection }: ProcessedLedger): string[] =>
  connection.raw
    .query<{ state: string }, []>('SELECT state FROM delivery ORDER BY row')
    .all()
    .map(({ state }) => state)

const control = ({ connection }: ProcessedLedger) => new SqliteDeliveryControl(connection, connection)

test('a delivery that was never tried is taken back, and sent after a release', async () => {
  await using ledger = await waiting(team)
  ledger.capture(refusal(1))
  expect(states(ledger)).toEqual([])
  ledger.capture(released('at-0', at(2)))
  expect(states(ledger)).toEqual(['waiting'])
})

test('one under way is settled, is not sent again after a release, and is named by an erasure', async () => {
  await using ledger = await waiting(team)
  await begin(ledger, 1)
  ledger.capture(refusal(2))
  const erased = { email: null, submissions: ['at-0'] }
  expect([states(ledger), await control(ledger).notified('account-a', erased)]).toEqual([['failed'], ['team']])
  ledger.capture(released('at-0', at(3)))
  expect(states(ledger)).toEqual(['failed'])
})

test('one under way that fails after the refusal waits for a release, whatever is retried', async () => {
  await using ledger = await waiting(team)
  const { outbox, parcel } = await begin(ledger, 1)
  ledger.capture(refusal(2))
  await outbox.settle([{ parcel, attempt: unanswered, at: at(3), nextAt: [at(4)] }])
  expect([await control(ledger).retry('account-a', 'failed', at(5)), states(ledger)]).toEqual([0, ['failed']])
  ledger.capture(released('at-0', at(6)))
  expect(states(ledger)).toEqual(['waiting'])
})

test('what waits for a release is no failed delivery that somebody has to retry', async () => {
  await using ledger = await waiting(team)
  await begin(ledger, 1)
  ledger.capture(refusal(2))
  const failed = async () => (await control(ledger).destinations('account-a')).map(({ failed }) => failed)
  expect([ailingDestinations(ledger.connection), await failed()]).toEqual([[], [0]])
})

test('one under way that succeeds after the refusal is delivered, and not again', async () => {
  await using ledger = await waiting(team)
  const { outbox, parcel } = await begin(ledger, 1)
  ledger.capture(refusal(2))
  await outbox.settle([{ parcel, attempt: taken, at: at(3), nextAt: [null] }])
  ledger.capture(released('at-0', at(4)))
  expect(states(ledger)).toEqual(['delivered'])
})

test.each(['before', 'while'])(
  'a visitor is still asked to confirm after a refusal and its release %s mail is down',
  async (when) => {
    await using ledger = await waiting(ask)
    if (when === 'while') await attempt(ledger, 1, unanswered)
    ledger.capture(refusal(2))
    ledger.capture(released('at-0', at(3)))
    expect(states(ledger)).toEqual(['waiting'])
    expect(ledger.connection.raw.query('SELECT 1 FROM visitor_reply').all()).toHaveLength(1)
  },
)
