// docs/identity.md, "Persons": whose a device is, read without going through what all others recorded on it.
import { expect, test } from 'bun:test'
import { latestFieldsQuery, SqlitePersonReader } from '../../../../src/storage/sqlite/persons/person-reader.ts'
import { DatabasePages } from '../../../harness/damaged-pages.ts'
import { submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const begin = Date.UTC(2026, 9, 20, 12)
const identify = (number: number, name: string) =>
  trackedEvent({
    id: `event-${String(number).padStart(5, '0')}`,
    receivedAt: begin + number,
    event: '$identify',
    traits: { email: `${name}@customer.example` },
  })

const count = 4000
const captured = Array.from({ length: count }, (_, number) => identify(number, `person-${number}`))

test('each of thousands of persons of one device has what was theirs', async () => {
  await using box = new AForgettingBox()
  box.capture(...captured)
  const reader = new SqlitePersonReader(box.database.reader())
  const rows = await reader.page({ accountId: 'account-a', after: null, limit: count })
  expect(rows.map(({ person: { events, firstSeenAt, deviceIds } }) => ({ events, firstSeenAt, deviceIds }))).toEqual(
    Array.from({ length: count }, (_, number) => ({
      events: 1,
      firstSeenAt: begin + number,
      deviceIds: ['device-1'],
    })),
  )
})

test('a person is read without the ties that others had to the device: damage of these goes unnoticed', async () => {
  await using box = new AForgettingBox()
  box.capture(...captured)
  const pages = new DatabasePages(box.database.file)
  const leaves = pages.of('device_tie', 'leaf')
  expect(leaves.length).toBeGreaterThan(10)
  pages.fillWithGarbage(...leaves.slice(2))
  const reader = new SqlitePersonReader(box.database.reader())
  const found = await reader.named('account-a', 'person-1@customer.example')
  expect(found).toMatchObject({ events: 1, firstSeenAt: begin + 1, deviceIds: ['device-1'] })
})

test('a person has what came from each of their ties until the next of somebody else', async () => {
  await using box = new AForgettingBox()
  const names = ['ada', 'ada', 'ben', 'ada', 'ben', 'ben', 'ada', 'ada']
  box.capture(...names.map((name, number) => identify(number, name)))
  const reader = new SqlitePersonReader(box.database.reader())
  const ada = await reader.named('account-a', 'ada@customer.example')
  const ben = await reader.named('account-a', 'ben@customer.example')
  expect({ ada: ada?.events, ben: ben?.events }).toEqual({ ada: 5, ben: 3 })
})

const sent = (number: number, fields: Record<string, string>) =>
  submission({ id: `submission-${number}`, receivedAt: begin + number, deviceId: null, fields })

test.each([
  [9, 'Ada King', 1],
  [10, null, 0],
])(
  'a person has in a list the name of one of their ten latest leads, and is found by it: %p later',
  async (later, sentName, found) => {
    await using box = new AForgettingBox()
    const nameless = Array.from({ length: later }, (_, number) => sent(number + 1, { message: 'Hello' }))
    box.capture(sent(0, { name: 'Ada King' }), ...nameless)
    const reader = new SqlitePersonReader(box.database.reader())
    const query = { accountId: 'account-a', limit: 5, behind: null }
    expect((await reader.latest(query)).persons).toMatchObject([{ sentName, submissions: later + 1 }])
    expect((await reader.latest({ ...query, q: 'king' })).persons).toHaveLength(found)
  },
)

test('the latest leads of a person are read without sorting all of theirs', async () => {
  await using box = new AForgettingBox()
  const { raw } = box.database.connect()
  const plan = raw.query<{ detail: string }, [number]>(`EXPLAIN QUERY PLAN ${latestFieldsQuery}`).all(1)
  const details = plan.map(({ detail }) => detail)
  expect(details).toContain('SEARCH submission_fact USING INDEX submission_fact_by_person (person_row=?)')
  expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
})
