import { expect, test } from 'bun:test'
import { NextPages } from '../../src/console/session/next-page.ts'
import { html } from '../../src/lib/html.ts'

const path = '/me/recovery-codes'
const answer = { path, content: { title: 'Keep these codes', body: html`abcd` } }
const tenMinutes = 10 * 60_000

const kept = (pages: NextPages, sessionId: string, now: number): string =>
  pages.keepAnswer(sessionId, answer, now) ?? ''

test('an answer that nobody fetched is dropped once it has expired, when the next one is kept', () => {
  const pages = new NextPages()
  const id = kept(pages, 'one', 0)
  const other = kept(pages, 'other', tenMinutes)
  expect(pages.takeAnswer('one', { path, id }, 0)).toBeNull()
  expect(pages.takeAnswer('other', { path, id: other }, tenMinutes)).toEqual(answer.content)
})

test('what waits for a session is dropped when the session ends, and nothing of others', () => {
  const pages = new NextPages()
  const [id, other] = [kept(pages, 'one', 0), kept(pages, 'other', 0)]
  pages.keep('one', { path, fields: new Map([['name', 'website']]) }, 0)
  pages.endSession('one')
  expect(pages.takeAnswer('one', { path, id }, 0)).toBeNull()
  expect(pages.take('one', path, 0).fields.size).toBe(0)
  expect(pages.takeAnswer('other', { path, id: other }, 0)).toEqual(answer.content)
})
