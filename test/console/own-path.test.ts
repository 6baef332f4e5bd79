import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { withoutSent } from '../../src/console/api/answer-call.ts'
import { ownPath } from '../../src/console/page/page-http.ts'

test.each(['/', '/a/acme?since=30d', '/a/acme/persons#x'])('%s leads to itself', (path) => {
  expect(ownPath(path)).toBe(path)
})

test.each([null, '', 'https://evil.example/', '//evil.example', '/\\evil.example', 'a/b', '/a\nb', '/ü'])(
  '%p leads to the first page',
  (path) => {
    expect(ownPath(path)).toBe('/')
  },
)

test('wherever a sign-in is told to lead, it leads to the console', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(new URL(ownPath(text), 'https://console.example').origin).toBe('https://console.example')
    }),
  )
})

test('an error repeats nothing that was sent', () => {
  const call = { params: { id: 'secret-id' }, query: { q: 'find-me' }, body: { nested: [{ value: 'find-me-too' }] } }
  expect(withoutSent('There is no "secret-id" with find-me-too or find-me.', call)).toBe('There is no "…" with … or ….')
})
