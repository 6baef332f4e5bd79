// docs/forms.md, "Likely duplicates": same form, same identity or device, same fields, within ten minutes.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Submission } from '../../../src/ledger/entry.ts'
import { parseLosslessText } from '../../../src/lib/lossless-json.ts'
import { anonymous, noon, ProcessedLedger, refused, sent } from './processed-ledger.ts'

const fieldsOf = (json: string) => parseLosslessText(json) as Submission['fields']

describe('a submission is a likely duplicate', () => {
  test.each<[string, Submission, Submission]>([
    ['when the same device says the same again', anonymous(0), anonymous(1)],
    ['when the same e-mail says the same from another device', sent(0), sent(1, { deviceId: 'device-2' })],
    ['when the same e-mail says the same without a device', sent(0), sent(1, { deviceId: null })],
    ['after exactly ten minutes', sent(0), sent(10)],
    [
      'in whatever order its fields stand',
      anonymous(0, { fields: { a: { x: 1, y: 2 }, b: 3 } }),
      anonymous(1, { fields: { b: 3, a: { y: 2, x: 1 } } }),
    ],
    [
      'whatever the hidden field holds',
      anonymous(0, { fields: { message: 'Hello', _hp: '' } }),
      anonymous(1, { fields: { message: 'Hello' } }),
    ],
    ['when it met another version of the form', sent(0), sent(1, { formVersion: 4 })],
  ])('%s', async (_, one, other) => {
    await using ledger = new ProcessedLedger(one, other)
    expect(ledger.duplicates()).toEqual({ [other.id]: one.id })
  })

  test.each<[string, Submission, Submission]>([
    ['a field says something else', sent(0), sent(1, { fields: { email: 'Ada@acme.example', message: 'Bye' } })],
    ['it is of another form', sent(0), sent(1, { formId: 'order111' })],
    ['eleven minutes have passed', sent(0), sent(11)],
    ['another device says it, and nobody is named', anonymous(0), anonymous(1, { deviceId: 'device-2' })],
    ['neither device nor e-mail is known', anonymous(0, { deviceId: null }), anonymous(1, { deviceId: null })],
    [
      'a number has other digits',
      anonymous(0, { fields: fieldsOf('{"amount":12345678901234567890}') }),
      anonymous(1, { fields: fieldsOf('{"amount":12345678901234567891}') }),
    ],
    ['it was sent to another account', sent(0), sent(1, { accountId: 'account-b' })],
    ['the other one was refused', refused(0), sent(1)],
    ['it was refused itself', sent(0), refused(1)],
  ])('but not when %s', async (_, one, other) => {
    await using ledger = new ProcessedLedger(one, other)
    expect(ledger.duplicates()).toEqual({})
  })
})

test('those of a chain point to its first, however long it goes on', async () => {
  await using ledger = new ProcessedLedger(sent(0), sent(8), sent(16), sent(24))
  expect(ledger.duplicates()).toEqual({ 'at-8': 'at-0', 'at-16': 'at-0', 'at-24': 'at-0' })
})

test('of two that were committed the other way round one is marked', async () => {
  await using ledger = new ProcessedLedger(sent(1), sent(0))
  expect(ledger.duplicates()).toEqual({ 'at-0': 'at-1' })
})

test('they are counted apart from leads, and none is dropped', async () => {
  await using ledger = new ProcessedLedger(sent(0), sent(1), sent(2), anonymous(3, { deviceId: null }))
  expect(ledger.facts()).toHaveLength(4)
  expect(ledger.figures()).toEqual({
    '0 lead contact1': 2,
    '0 lead_source unknown': 2,
    '0 duplicate contact1': 2,
  })
})

/** Whoever says the same again within ten minutes of the last time repeats the first time. */
function expectedDuplicates(submissions: Submission[]): Record<string, string> {
  const latest = new Map<string, { at: number; first: string }>()
  const expected: Record<string, string> = {}
  for (const { id, receivedAt, email, deviceId, fields } of submissions) {
    const said = JSON.stringify([email ?? deviceId, fields])
    const last = latest.get(said)
    const isRepeated = last !== undefined && receivedAt - last.at <= 600_000
    if (isRepeated) expected[id] = last.first
    latest.set(said, { at: receivedAt, first: isRepeated ? last.first : id })
  }
  return expected
}

test('whoever sends what and when, those are marked that a plain look through all of them finds', async () => {
  const some = fc.record({
    after: fc.integer({ min: 0, max: 700_000 }),
    who: fc.constantFrom('one', 'two'),
    isNamed: fc.boolean(),
    message: fc.constantFrom('a', 'b'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(some, { minLength: 2, maxLength: 30 }), async (said) => {
      let receivedAt = noon
      const submissions = said.map(({ after, who, isNamed, message }, index) => {
        receivedAt += after
        const email = isNamed ? `${who}@acme.example` : null
        const fields = isNamed ? { email, message } : { message }
        return sent(0, { id: `submission-${index}`, receivedAt, email, deviceId: `device-${who}`, fields })
      })
      await using ledger = new ProcessedLedger(...submissions)
      expect(ledger.duplicates()).toEqual(expectedDuplicates(submissions))
    }),
    { numRuns: 15 },
  )
})
