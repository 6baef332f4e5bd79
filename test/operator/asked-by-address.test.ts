import { expect, test } from 'bun:test'
import { isAskedByAddress } from '../../src/operator/operator-listener.ts'

test.each([
  null,
  '127.0.0.1',
  '127.0.0.1:9180',
  '10.0.0.7:80',
  '[::1]:9180',
  '[fe80::1]',
  'localhost:9180',
  'LOCALHOST',
])('%p is this machine', (header) => {
  expect(isAskedByAddress(header, '127.0.0.1')).toBe(true)
})

test.each([
  'evil.example',
  'evil.example:9180',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '',
  ':9180',
  '[evil]',
  '[::1',
  '127.0.0.1, a',
])('%p is not', (header) => {
  expect(isAskedByAddress(header, '127.0.0.1')).toBe(false)
})
