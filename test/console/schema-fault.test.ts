import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { schemaFault } from '../../src/console/api/read-call.ts'
import { closed, oneOf, text, textOrNull } from '../../src/lib/schema.ts'

const invitation = Type.Union([
  closed({ email: text, owner: Type.Literal(true) }),
  closed({ email: text, account: text, note: Type.Optional(text) }),
])

test('of a value that fits none of several shapes, each of them is named', () => {
  const expected = ': Expected { email, owner: true } or { email, account, note (optional) }'
  expect(schemaFault(invitation, { email: 'ada@agency.example' })).toBe(expected)
})

test.each([
  [closed({ role: oneOf(['admin', 'viewer']) }), { role: 'queen' }, ' at "/role": Expected "admin" or "viewer"'],
  [closed({ note: textOrNull }), { note: 3 }, ' at "/note": Expected a string or null'],
])('a member that fits none of several is named with what is expected', (schema, value, words) => {
  expect(schemaFault(schema, value)).toBe(words)
})

test('a value of one shape is told what that is', () => {
  expect(schemaFault(text, 3)).toBe(': Expected string')
})
