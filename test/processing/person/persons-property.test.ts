// docs/identity.md: persons follow from what was received when, and not from when or in which order it was stored.
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { crowd } from './a-crowd.ts'
import { expectedOwner, expectedPersons } from './expected-persons.ts'
import { ProcessedBox } from './processed-box.ts'

const box = new ProcessedBox()
afterAll(() => box[Symbol.asyncDispose]())

let boxes = 0
/** Accounts that nobody has used yet: one database serves all runs. */
function newAccounts(): [string, string] {
  boxes++
  const ids: [string, string] = [`one-${boxes}`, `other-${boxes}`]
  for (const id of ids) box.addAccount(id)
  return ids
}

const ofAccounts = (entries: Entry[], ids: [string, string]): Entry[] =>
  entries.map((entry) => ({ ...entry, accountId: entry.accountId === 'one' ? ids[0] : ids[1] }))

/** What is known of an account's persons, less what is drawn by chance. */
async function known(accountId: string) {
  const persons = await box.personsOf(accountId)
  const whole = await Promise.all(
    persons.map(async ({ id: _drawn, traits, ...person }) => ({
      ...person,
      traits: Object.entries(traits).sort(),
      submissionIds: (await box.recordIds(person.email, ['submission'], accountId)).sort(),
      eventIds: (await box.recordIds(person.email, ['event', 'page_view', 'click'], accountId)).sort(),
    })),
  )
  return whole.sort((one, other) => (one.email < other.email ? -1 : 1))
}

/** Whose each record is, by e-mail address. */
async function owners(accountId: string): Promise<Record<string, string | null>> {
  const emails = new Map((await box.personsOf(accountId)).map(({ id, email }) => [id, email]))
  const found = Object.entries(await box.found(accountId))
  return Object.fromEntries(
    found.map(([id, { personId }]) => [id, personId && (emails.get(personId) ?? 'nobody known')]),
  )
}

const entriesOfTwo = crowd(['one', 'other'])

test('persons are what the records say of them, in the order of receipt', async () => {
  await fc.assert(
    fc.asyncProperty(entriesOfTwo, async (made) => {
      const ids = newAccounts()
      const entries = ofAccounts(made, ids)
      box.capture(...entries)
      for (const id of ids) {
        const own = entries.filter(({ accountId }) => accountId === id)
        const persons = (await known(id)).map(({ first: _first, last: _last, submissions, events, ...person }) => {
          expect([submissions, events]).toEqual([person.submissionIds.length, person.eventIds.length])
          return person
        })
        expect(persons as unknown[]).toEqual(expectedPersons(own))
      }
    }),
    { numRuns: 50 },
  )
})

test('each record is whose it says, else whose its device was', async () => {
  await fc.assert(
    fc.asyncProperty(entriesOfTwo, async (made) => {
      const ids = newAccounts()
      const entries = ofAccounts(made, ids)
      box.capture(...entries)
      for (const id of ids) {
        const own = entries.filter(({ accountId }) => accountId === id)
        const ordered = own.toSorted((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1))
        const expected = Object.fromEntries(own.map((entry) => [entry.id, expectedOwner(entry, ordered)]))
        expect(await owners(id)).toEqual(expected)
      }
    }),
    { numRuns: 50 },
  )
})

/** The same entries in two orders of commit, and how many are stored and processed at a time. */
const twoOrders = entriesOfTwo.chain((entries) =>
  fc.record({
    entries: fc.constant(entries),
    otherOrder: fc.shuffledSubarray(entries, { minLength: entries.length }),
    slices: fc.infiniteStream(
      fc.record({ stored: fc.integer({ min: 0, max: 9 }), taken: fc.integer({ min: 0, max: 5 }) }),
    ),
  }),
)

test('however the same records were interleaved and sliced, the persons are the same', async () => {
  await fc.assert(
    fc.asyncProperty(twoOrders, async ({ entries, otherOrder, slices }) => {
      const [ids, otherIds] = [newAccounts(), newAccounts()]
      box.capture(...ofAccounts(entries, ids))
      const waiting = ofAccounts(otherOrder, otherIds)
      while (waiting.length > 0) {
        const { stored = 1, taken = 1 } = slices.next().value ?? {}
        box.store(waiting.splice(0, stored))
        if (taken > 0) box.step(taken)
      }
      box.finish()
      for (const [index, id] of ids.entries()) expect(await known(otherIds[index] ?? '')).toEqual(await known(id))
    }),
    { numRuns: 50 },
  )
})
