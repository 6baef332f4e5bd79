import { expect, test } from 'bun:test'
import { exportedPersons } from '../../src/report/export.ts'
import type { KnownPerson, PersonReader } from '../../src/report/person-reader.ts'
import { knownPerson } from './sample-entries.ts'

/** A reader of these persons, whose cursors are opaque to whoever reads. */
const readerOf = (persons: KnownPerson[]): Pick<PersonReader, 'page'> => ({
  async page({ after, limit }) {
    const from = after === null ? 0 : Number(after.slice('person '.length)) + 1
    const rows = persons.map((person, index) => ({ cursor: `person ${index}`, person }))
    return rows.slice(from, from + limit)
  },
})

const emails = async (persons: KnownPerson[], period: { since?: number; until?: number } = {}): Promise<string[]> => {
  const options = { persons: readerOf(persons), accountId: 'account-a', since: null, until: null, ...period }
  return (await Array.fromAsync(exportedPersons(options))).map(({ email }) => email)
}

const seenLast = (lastSeenAt: number | null): KnownPerson => knownPerson({ email: String(lastSeenAt), lastSeenAt })

test('a person as exported has its keys in their order', async () => {
  const options = { persons: readerOf([knownPerson()]), accountId: 'account-a', since: null, until: null }
  const [record] = await Array.fromAsync(exportedPersons(options))
  expect(Object.keys(record ?? {}).join(', ')).toBe(
    'personId, email, traits, firstSeenAt, lastSeenAt, deviceIds, attribution, submissions, events',
  )
  expect(record).toMatchObject({ firstSeenAt: '2026-11-19T08:00:00.000Z', lastSeenAt: '2026-11-20T09:30:00.005Z' })
})

test('the period is that in which they were seen last, from `since` until before `until`', async () => {
  const persons = [1, 2, 3, 4].map(seenLast)
  expect(await emails(persons, { since: 2, until: 4 })).toEqual(['2', '3'])
})

test('a person of whom no record is left is in the export of all, and in no period', async () => {
  const persons = [seenLast(1), seenLast(null)]
  expect(await emails(persons)).toEqual(['1', 'null'])
  expect(await emails(persons, { until: 10 })).toEqual(['1'])
})

test.each([0, 1, 63, 64, 65, 200])('goes on behind each page until all %d persons are read', async (total) => {
  const persons = Array.from({ length: total }, (_, index) => knownPerson({ email: `${index}@acme.example` }))
  expect(await emails(persons)).toEqual(persons.map(({ email }) => email))
})
