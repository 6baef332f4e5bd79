import { expect, test } from 'bun:test'
import { sentByTestPage } from '../../src/capture/source.ts'

test.each([
  ['https://preview.example', true],
  ['http://preview.example:8080', true],
  ['https://preview.example.org', false],
  ['https://my-preview.example', false],
  ['https://preview.exampl', false],
  ['https://www.acme.example', false],
  ['null', false],
  [null, false],
])('the origin %p is that of the test page: %p', (origin, expected) => {
  expect(sentByTestPage(origin, 'preview.example')).toBe(expected)
})
