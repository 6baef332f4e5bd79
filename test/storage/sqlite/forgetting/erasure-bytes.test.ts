// docs/privacy.md, "From the disk": erased data is gone from the database's file, the write-ahead log and free pages.
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTransaction } from '../../../../src/storage/sqlite/database/write-transaction.ts'
import { submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const persons = 4000
const erasedMax = 12

const emailOf = (person: number): string => `visitor-${person * 7919}@customer-${person}.example`

/** In no order, the same each time. */
const shuffled = Array.from({ length: persons }, (_, index) => (index * 2741) % persons)

/** Traits that grow again and again move persons from page to page. */
const growing = (person: number, round: number) =>
  trackedEvent({
    id: `identify-${round}-${person}`,
    deviceId: `device-${person}`,
    receivedAt: round * persons + person,
    event: '$identify',
    traits: { email: emailOf(person), [`note-${round}`]: 'n'.repeat(((person * 31 + round * 97) % 37) ** 2) },
  })

const lead = (person: number) =>
  submission({
    id: `lead-${person}`,
    deviceId: `device-${person}`,
    email: emailOf(person),
    fields: { email: emailOf(person), text: 'y'.repeat((person * 53) % 6000) },
  })

/** In two places of each lead, one of each event, and two of their row among the persons: address and trait. */
const copiesOfRows = 2 + 3 + 2

/** In two places of each lead, in its person, in what was sent, and in the exchange. */
const copiesOfDelivered = 2 + 1 + 2

/** The addresses of which there are more copies than rows that hold them. */
function movedAddresses(bytes: string, copiesOfRows: number): string[] {
  const copies = new Map<string, number>()
  for (const [email] of bytes.matchAll(/visitor-\d+@customer-\d+\.example/g))
    copies.set(email, (copies.get(email) ?? 0) + 1)
  return [...copies].flatMap(([email, count]) => (count > copiesOfRows ? [email] : []))
}

/** Delivers each submission: what was sent and how the receiver answered is added to rows that lie between others. */
function deliver(box: AForgettingBox): void {
  const { raw } = box.connection
  writeTransaction(box.connection, () => {
    raw.run(`INSERT INTO delivery (id, account_row, destination_row, sequence, state, created_at, next_at)
      SELECT id, account_row, 1, sequence, 'waiting', 0, 0 FROM ledger WHERE kind = 1`)
    const sent = raw.query<{ row: number; email: string }, []>(
      `SELECT delivery.row, record ->> '$.email' AS email FROM delivery JOIN ledger USING (sequence) ORDER BY delivery.id`,
    )
    const fill = raw.query('UPDATE delivery SET body = ? WHERE row = ?')
    const note = raw.query('INSERT INTO delivery_attempt (delivery_row, number, at, exchange) VALUES (?, 1, 0, ?)')
    for (const [index, { row, email }] of sent.all().entries()) {
      fill.run(`${email}${'b'.repeat((index * 31) % 900)}`, row)
      note.run(row, `${email}${'x'.repeat((index * 17) % 700)}`)
    }
  })
}

/** The files of the data folder that hold one of the addresses. */
const holding = ({ database: { dir } }: AForgettingBox, emails: readonly string[]): string[] =>
  readdirSync(dir).filter((name) => {
    const bytes = readFileSync(join(dir, name)).toString('latin1')
    return emails.some((email) => bytes.includes(email))
  })

describe('after an erasure', () => {
  test('no file of the data folder holds the address, however often its rows had been moved', async () => {
    await using box = new AForgettingBox()
    box.capture(...shuffled.map(lead))
    for (const round of [1, 2, 3]) box.capture(...shuffled.map((person) => growing(person, round)))
    box.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    const erased = movedAddresses(box.bytes(), copiesOfRows).slice(0, erasedMax)
    expect(erased.length).toBeGreaterThan(2)
    for (const email of erased)
      expect(await box.erase(email)).toMatchObject({ verified: true, submissions: 1, events: 3 })
    expect(holding(box, erased)).toEqual([])
    expect(box.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  test('no file of the data folder holds the address that was delivered, once its deliveries had grown', async () => {
    await using box = new AForgettingBox()
    box.capture(...shuffled.slice(0, 2000).map(lead))
    deliver(box)
    box.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    const erased = movedAddresses(box.bytes(), copiesOfDelivered).slice(0, erasedMax)
    expect(erased.length).toBeGreaterThan(2)
    for (const email of erased) expect(await box.erase(email)).toMatchObject({ verified: true, submissions: 1 })
    expect(holding(box, erased)).toEqual([])
  })

  test('everybody else is as they were', async () => {
    await using box = new AForgettingBox()
    box.capture(...shuffled.slice(0, 500).map(lead))
    box.capture(...shuffled.slice(0, 500).map((person) => growing(person, 1)))
    const [gone = 0] = shuffled
    const others = `SELECT * FROM person WHERE email <> '${emailOf(gone)}' ORDER BY row`
    const ledger = `SELECT * FROM ledger WHERE kind <> 6 AND instr(record, '${emailOf(gone)}') = 0 ORDER BY sequence`
    const before = [box.rows(others), box.rows(ledger)]
    await box.erase(emailOf(gone))
    expect([box.rows(others), box.rows(ledger)]).toEqual(before)
    expect(box.count('person')).toBe(499)
  })
})

/** More than are examined before others get their turn. */
const leafPages = 5000

test('while free bytes are searched, others can write on the connection of the erasure', async () => {
  await using box = new AForgettingBox()
  box.capture(lead(1))
  const { raw } = box.connection
  const page = 'x'.repeat(3500)
  writeTransaction(box.connection, () => {
    for (let row = 0; row < leafPages; row++)
      raw.run(`INSERT INTO device_traits VALUES (?, 1, 'entry', ?)`, [1_000_000 + row, page])
  })
  const service = box.database.connect()
  let isErased = false
  const erased = box.erase(emailOf(1)).finally(() => {
    isErased = true
  })
  while (!isErased) {
    for (const connection of [service, box.connection])
      writeTransaction(connection, () => connection.raw.run('UPDATE account SET created_at = created_at + 1'))
    await Bun.sleep(0)
  }
  expect(await erased).toMatchObject({ submissions: 1 })
})
