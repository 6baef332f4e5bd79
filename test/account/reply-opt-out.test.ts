import { describe, expect, test } from 'bun:test'
import { boxReplyMark, readReplyOptOut, replyMark, replyOptOutToken } from '../../src/account/reply-opt-out.ts'
import { signingKeys } from './sample-signing-keys.ts'

const keys = signingKeys()
const key = keys.current('reply')
const mark = replyMark('acme', 'ada@visitor.example', key)
const token = replyOptOutToken(mark, 'acme', key)
const read = (text: string, accountId = 'acme') => readReplyOptOut(text, { accountId, keys, now: 0 })

describe('the token of an opt-out', () => {
  test('leads to the mark of the address', () => {
    expect(read(token)).toBe(mark)
  })

  test('is of its account alone', () => {
    expect(read(token, 'bold')).toBeNull()
  })

  test('is invalid once a character is changed', () => {
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
    }
  })

  test.each(['', '1', '1...', `${token}.`, ` ${token}`, token.repeat(2), 'x'.repeat(100_000)])('is not %p', (text) => {
    expect(read(text)).toBeNull()
  })

  test('does not show the address', () => {
    for (const part of token.split('.'))
      expect(Buffer.from(part, 'base64url').toString()).not.toContain('visitor.example')
  })
})

test('marks tell addresses and accounts apart', () => {
  const marks = [
    mark,
    replyMark('bold', 'ada@visitor.example', key),
    replyMark('acme', 'bob@visitor.example', key),
    boxReplyMark('ada@visitor.example', key),
    boxReplyMark('bob@visitor.example', key),
  ]
  expect(new Set(marks).size).toBe(marks.length)
})
