// Whose a record is that mentions an address (docs/privacy.md).
import { describe, expect, test } from 'bun:test'
import { isOwnMention, mentions, subjectOf } from '../../src/processing/erasure.ts'
import { submission, trackedEvent } from '../report/sample-entries.ts'

const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const nobodys = () => false
const somebodys = () => true

describe('a record that mentions an address is its owner’s', () => {
  test('if it names that address as its sender’s, whoever has the device', () => {
    expect(isOwnMention(subjectOf(submission({ email: ada })), ada, somebodys)).toBe(true)
    const identify = trackedEvent({ event: '$identify', traits: { email: 'Ada@Customer.example' } })
    expect(isOwnMention(subjectOf(identify), ada, somebodys)).toBe(true)
  })

  test('and not if it names another, though the device is nobody’s', () => {
    expect(isOwnMention(subjectOf(submission({ email: ben })), ada, nobodys)).toBe(false)
  })

  test('if it names none and comes from a device of nobody’s, or from none', () => {
    expect(isOwnMention(subjectOf(trackedEvent({})), ada, nobodys)).toBe(true)
    expect(isOwnMention(subjectOf(submission({ email: null, deviceId: null })), ada, somebodys)).toBe(true)
  })

  test('and not if it comes from somebody else’s device', () => {
    expect(isOwnMention(subjectOf(trackedEvent({})), ada, somebodys)).toBe(false)
  })
})

test('an address is looked for in every text and name of a field, however deep', () => {
  const isAda = (text: string) => text === ada
  expect(mentions({ fields: [{ notes: [ada] }] }, isAda)).toBe(true)
  expect(mentions({ fields: { [ada]: 1 } }, isAda)).toBe(true)
  expect(mentions({ fields: [1, null, ben, { ada: true }] }, isAda)).toBe(false)
})
