import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Attempt, DestinationKey, Parcel } from '../../../../src/delivery/outbox.ts'
import { ailingDestinations } from '../../../../src/storage/sqlite/account/destination-rows.ts'
import { SqliteOutbox } from '../../../../src/storage/sqlite/delivery/outbox.ts'
import { sealOf } from '../../../../src/storage/sqlite/seal/box-seal.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const delivered: Attempt = { outcome: 'delivered', status: 250, error: null, retryAfterMs: null, exchange: '250 ok' }
const failed: Attempt = { outcome: 'failed', status: 500, error: 'no', retryAfterMs: null, exchange: '500 no' }
const nothing = new Set<never>()

let database: TemporaryDatabase
let outbox: SqliteOutbox
let raw: ReturnType<TemporaryDatabase['connect']>['raw']

beforeEach(() => {
  database = new TemporaryDatabase()
  const connection = database.connect()
  raw = connection.raw
  outbox = new SqliteOutbox(connection)
  database.addAccount('acme', 'UTC')
})

afterEach(() => database[Symbol.asyncDispose]())

function destination(kind: 'mail' | 'webhook' | 'reply', name: string = kind): DestinationKey {
  const seal = sealOf(raw)
  const url = seal.seal('destination.definition', `acme ${name}`, 'https://crm.example/')
  const definition = { kind, name, forms: null, to: ['a@b.cd'], url }
  raw.run('INSERT INTO destination (account_row, name, definition, secret, created_at) VALUES (1, ?, ?, ?, 0)', [
    name,
    JSON.stringify(definition),
    seal.seal('destination.secret', `acme ${name}`, 'whsec_new'),
  ])
  return Number(raw.query<{ row: number }, []>('SELECT max(row) AS row FROM destination').get()?.row) as DestinationKey
}

function waits(to: DestinationKey, { at = 0, form = 'contact1' } = {}): void {
  raw.run(
    `INSERT INTO delivery (id, account_row, destination_row, submission_id, form_id, state, created_at, next_at)
     VALUES (?, 1, ?, ?, ?, 'waiting', ?, ?)`,
    [crypto.randomUUID(), to, crypto.randomUUID(), form, at, at],
  )
}

async function parcelOf(to: DestinationKey, now: number): Promise<Parcel> {
  const parcel = await outbox.take(to, { now, underWay: nothing })
  if (parcel === null) throw new Error('nothing is due')
  return parcel
}

/** @param nextAt of each delivery that did not succeed */
async function settle(parcel: Parcel, attempt: Attempt, at: number, nextAt: number | null = at + minuteMs) {
  await outbox.settle([{ parcel, attempt, at, nextAt: parcel.deliveries.map(() => nextAt) }])
}

const states = () => raw.query('SELECT state, attempts, next_at AS nextAt FROM delivery ORDER BY row').values()

describe('a mail', () => {
  test('goes at once, and the next about the form five minutes later with all that came meanwhile', async () => {
    const to = destination('mail')
    waits(to, { at: 1000 })
    const first = await parcelOf(to, 1000)
    expect(first.deliveries).toHaveLength(1)
    await settle(first, delivered, 2000)
    for (const at of [3000, 4000, 5000]) waits(to, { at })
    expect(await outbox.take(to, { now: 10_000, underWay: nothing })).toBeNull()
    expect(await outbox.ready(10_000)).toEqual([])
    const next = await parcelOf(to, 2000 + 5 * minuteMs)
    expect(next.deliveries.map(({ createdAt }) => createdAt)).toEqual([3000, 4000, 5000])
  })

  test('about one form does not wait for one about another', async () => {
    const to = destination('mail')
    waits(to, { at: 1000 })
    await settle(await parcelOf(to, 1000), delivered, 1000)
    waits(to, { at: 2000 })
    waits(to, { at: 2000, form: 'contact2' })
    expect((await parcelOf(to, 2000)).deliveries.map(({ formId }) => formId)).toEqual(['contact2'])
  })

  test('is not begun twice while one about the form is under way', async () => {
    const to = destination('mail')
    waits(to)
    const { deliveries } = await parcelOf(to, 1000)
    waits(to)
    const underWay = new Set(deliveries.map(({ key }) => key))
    expect(await outbox.take(to, { now: 1000, underWay })).toBeNull()
  })

  test('that fails leaves the schedule of what was not due as it was', async () => {
    const to = destination('mail')
    waits(to, { at: 0 })
    waits(to, { at: 50_000 })
    const parcel = await parcelOf(to, 1000)
    expect(parcel.deliveries).toHaveLength(2)
    await outbox.settle([{ parcel, attempt: failed, at: 1000, nextAt: [6000, 50_000] }])
    expect(raw.query('SELECT schedule_step, next_at FROM delivery ORDER BY row').values()).toEqual([
      [1, 6000],
      [0, 50_000],
    ])
  })
})

describe('a destination', () => {
  test('is paused after five days and ten tries of nothing but failure, and nothing of it is ready', async () => {
    const to = destination('webhook')
    for (let attempt = 0; attempt < 10; attempt++) {
      waits(to, { at: attempt * dayMs })
      const now = attempt * dayMs
      await settle(await parcelOf(to, now), failed, now, null)
    }
    waits(to)
    expect(await outbox.ready(10 * dayMs)).toEqual([])
    expect(raw.query('SELECT pause_reason FROM destination').values()).toEqual([['failing']])
  })

  test('is not paused where one success lay in between', async () => {
    const to = destination('webhook')
    for (let attempt = 0; attempt < 14; attempt++) {
      const now = attempt * dayMs
      waits(to, { at: now })
      await settle(await parcelOf(to, now), attempt === 6 ? delivered : failed, now, null)
    }
    expect(raw.query('SELECT paused_at, failures FROM destination').values()).toEqual([[null, 7]])
  })

  test('of replies neither fails nor is paused because of what visitors type for their address', async () => {
    const to = destination('reply', 'reply:contact1')
    for (let attempt = 0; attempt < 12; attempt++) {
      const now = attempt * dayMs
      waits(to, { at: now })
      await settle(await parcelOf(to, now), failed, now, null)
    }
    expect(raw.query('SELECT paused_at, failing_since, failures FROM destination').values()).toEqual([[null, null, 0]])
    expect(ailingDestinations({ raw })).toEqual([])
    expect(raw.query("SELECT count(*) FROM delivery WHERE state = 'failed'").values()).toEqual([[12]])
  })

  test('of a removed account is never ready', async () => {
    waits(destination('webhook'))
    raw.run('UPDATE account SET removed_at = 1')
    expect(await outbox.ready(1000)).toEqual([])
  })

  test('is signed for with the secret before as long as that is valid', async () => {
    const to = destination('webhook')
    raw.run('UPDATE destination SET previous_secret = ?, previous_until = 5000', [
      sealOf(raw).seal('destination.previous_secret', 'acme webhook', 'whsec_old'),
    ])
    waits(to)
    expect((await parcelOf(to, 4999)).secrets).toEqual(['whsec_new', 'whsec_old'])
    expect((await parcelOf(to, 5000)).secrets).toEqual(['whsec_new'])
  })
})

describe('a delivery', () => {
  test('that was erased while it was under way is settled without a trace', async () => {
    const to = destination('webhook')
    waits(to)
    const parcel = await parcelOf(to, 1000)
    raw.run('DELETE FROM delivery')
    await settle(parcel, failed, 2000)
    expect(states()).toEqual([])
    expect(raw.query('SELECT count(*) FROM delivery_attempt').values()).toEqual([[0]])
  })

  test('keeps its first body, and loses body and exchanges once they are old', async () => {
    const to = destination('webhook')
    waits(to)
    const parcel = await parcelOf(to, 1000)
    await outbox.begin([{ parcel, body: 'first' }], 1000)
    await outbox.begin([{ parcel, body: 'second' }], 2000)
    await settle(parcel, delivered, 2000)
    const kept = () => raw.query('SELECT body, (SELECT count(*) FROM delivery_attempt) FROM delivery').values()
    await outbox.clean(2000)
    expect(kept()).toEqual([['first', 1]])
    await outbox.clean(2001)
    expect(kept()).toEqual([[null, 0]])
  })

  test('that is under way is not taken again', async () => {
    const to = destination('webhook')
    waits(to)
    waits(to)
    const { deliveries } = await parcelOf(to, 1000)
    const underWay = new Set(deliveries.map(({ key }) => key))
    const [second] = (await outbox.take(to, { now: 1000, underWay }))?.deliveries ?? []
    expect(second?.key).not.toBe(deliveries[0]?.key as never)
    underWay.add(second?.key as never)
    expect(await outbox.take(to, { now: 1000, underWay })).toBeNull()
  })

  test('goes with the entry of the ledger that it was made of, exchanges and all', async () => {
    const to = destination('webhook')
    raw.run(
      "INSERT INTO ledger (sequence, account_row, kind, id, received_at, record, checksum) VALUES (7, 1, 1, 'x', 0, '{}', 0)",
    )
    waits(to)
    raw.run('UPDATE delivery SET sequence = 7')
    await settle(await parcelOf(to, 1000), failed, 1000)
    raw.run('DELETE FROM ledger')
    expect(states()).toEqual([])
    expect(raw.query('SELECT count(*) FROM delivery_attempt').values()).toEqual([[0]])
  })
})

test('a mail that has to wait puts off thousands of leads without holding up captures', async () => {
  const to = destination('mail')
  waits(to)
  await settle(await parcelOf(to, 1000), delivered, 1000)
  raw.transaction(() => {
    for (let lead = 0; lead < 1200; lead++) waits(to, { at: 2000 })
  })()
  const putOff = () =>
    raw.query<{ count: number }, []>('SELECT count(*) AS count FROM delivery WHERE next_at > 2000').get()?.count
  for (const count of [500, 1000, 1200]) {
    expect(await outbox.take(to, { now: 3000, underWay: nothing })).toBeNull()
    expect(putOff()).toBe(count)
  }
})
