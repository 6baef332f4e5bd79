import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { readQuery } from '../../src/console/api/read-call.ts'

const schema = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 50 }),
  share: Type.Optional(Type.Number()),
  dryRun: Type.Boolean({ default: false }),
  q: Type.Optional(Type.String()),
})
const read = (query: string) => readQuery(new URLSearchParams(query), schema)

test('numbers, true and false are taken as they are written, and defaults filled in', () => {
  expect(read('limit=7&share=0.5&dryRun=true&q=12')).toEqual({ limit: 7, share: 0.5, dryRun: true, q: '12' })
  expect(read('dryRun=false')).toEqual({ limit: 50, dryRun: false })
})

test.each([
  'limit=true',
  'limit=',
  'limit=%205',
  'limit=0x10',
  'limit=1e2',
  'limit=1.5',
  'limit=seven',
  'limit=99999999999999999999',
  'share=Infinity',
  'dryRun=1',
  'dryRun=yes',
  'dryRun=TRUE',
])('%s is refused', (query) => {
  expect(() => read(query)).toThrow('The query is invalid')
})
