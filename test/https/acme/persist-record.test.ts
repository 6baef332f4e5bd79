import { describe, expect, test } from 'bun:test'
import { persistRecordFits, persistRecordName, persistRecordValue } from '../../../src/https/acme/persist-record.ts'

const accountUrl = 'https://ca.example/acct/123'
const now = Date.parse('2026-11-22T00:00:00Z')
const wanted = { issuers: ['letsencrypt.org', 'ca.example'], accountUrl, now }
const fits = (record: string) => persistRecordFits(record, wanted)

test('the record of a host stands below it', () => {
  expect(persistRecordName('shop.acme.example')).toBe('_validation-persist.shop.acme.example')
})

test('the record that is printed for an account fits it', () => {
  expect(fits(persistRecordValue('letsencrypt.org', accountUrl))).toBe(true)
})

describe('a record fits', () => {
  test.each([
    `ca.example;accounturi=${accountUrl}`,
    `  CA.example\t;  AccountURI = ${accountUrl}  `,
    `ca.example; accounturi=${accountUrl}; policy=wildcard`,
    `ca.example; accounturi=${accountUrl}; persistUntil=4102444800`,
  ])('%s', (record) => expect(fits(record)).toBe(true))
})

describe('a record does not fit', () => {
  test.each([
    ['of another authority', `other.example; accounturi=${accountUrl}`],
    ['of no authority', `; accounturi=${accountUrl}`],
    ['without an account', 'ca.example'],
    ['of another account', `ca.example; accounturi=${accountUrl}4`],
    ['that has ended', `ca.example; accounturi=${accountUrl}; persistUntil=1700000000`],
    ['whose end is no number', `ca.example; accounturi=${accountUrl}; persistUntil=soon`],
    ['with a parameter twice', `ca.example; accounturi=${accountUrl}; accounturi=${accountUrl}`],
    ['with a last semicolon', `ca.example; accounturi=${accountUrl};`],
    ['with a parameter without value', `ca.example; accounturi=${accountUrl}; policy`],
  ])('%s', (_, record) => expect(fits(record)).toBe(false))
})
