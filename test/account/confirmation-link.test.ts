// docs/confirmed-leads.md, "What the visitor does".
import { describe, expect, test } from 'bun:test'
import { confirmationEndsAt, confirmationToken, readConfirmation } from '../../src/account/confirmation-link.ts'
import { signingKeys } from './sample-signing-keys.ts'

const keys = signingKeys()
const accountId = '01a20536-da0e-734f-a39f-ee8a386ab33c'
const submissionId = '019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90'
const link = { accountId, submissionId, endsAt: confirmationEndsAt(Date.UTC(2026, 10, 22)) }
const token = confirmationToken(link, keys.current('reply'))
const read = (text: string, changes: { accountId?: string } = {}) =>
  readConfirmation(text, { accountId, keys, now: 0, ...changes })

describe('the link of a confirmation', () => {
  test('names its submission and ends after seven days', () => {
    expect(read(token)).toEqual({ accountId, submissionId, endsAt: Date.UTC(2026, 10, 29) })
  })

  test('is good in its own account alone', () => {
    expect(read(token, { accountId: '01a20536-da0e-734f-a39f-ee8a386ab33d' })).toBeNull()
  })

  test('is good with every character as it was signed, and with no other', () => {
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === '2' ? '3' : '2'
      expect(read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
    }
    expect([read(`${token}a`), read(token.slice(1)), read('')]).toEqual([null, null, null])
  })
})
