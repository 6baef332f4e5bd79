// Contract section 8: erased data is gone from the database's file, the write-ahead log and free pages.
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { submission, trackedEvent } from '../../report/sample-entries.ts'
import { AForgettingBox } from './a-forgetting-box.ts'

const persons = 4000
const erasedCount = 12
const testMsMax = 120_000

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

const copiesOf = (text: string, bytes: string): number => bytes.split(text).length - 1

describe('after an erasure', () => {
  test(
    'no file of the data folder holds the address, however often its rows had been moved',
    async () => {
      await using box = new AForgettingBox()
      box.capture(...shuffled.map(lead))
      for (const round of [1, 2, 3]) box.capture(...shuffled.map((person) => growing(person, round)))
      const erased = Array.from({ length: erasedCount }, (_, index) => Math.floor((index * persons) / erasedCount) + 5)
      for (const person of erased) expect(copiesOf(emailOf(person), box.bytes())).toBeGreaterThan(0)
      for (const person of erased) expect(await box.erase(emailOf(person))).toMatchObject({ verified: true, events: 3 })
      for (const name of readdirSync(box.database.dir)) {
        const bytes = readFileSync(join(box.database.dir, name)).toString('latin1')
        for (const person of erased) {
          expect([name, copiesOf(emailOf(person), bytes)]).toEqual([name, 0])
          expect([name, copiesOf(`lead-${person}"`, bytes)]).toEqual([name, 0])
        }
      }
      expect(box.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    },
    testMsMax,
  )

  test(
    'everybody else is as they were',
    async () => {
      await using box = new AForgettingBox()
      box.capture(...shuffled.slice(0, 500).map(lead))
      box.capture(...shuffled.slice(0, 500).map((person) => growing(person, 1)))
      const [gone = 0] = shuffled
      const others = `SELECT * FROM person WHERE email <> '${emailOf(gone)}' ORDER BY row`
      const ledger = `SELECT * FROM ledger WHERE instr(record, '${emailOf(gone)}') = 0 ORDER BY sequence`
      const before = [box.rows(others), box.rows(ledger)]
      await box.erase(emailOf(gone))
      expect([box.rows(others), box.rows(ledger)]).toEqual(before)
      expect(box.count('person')).toBe(499)
    },
    testMsMax,
  )
})
