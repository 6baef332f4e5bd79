import { describe, expect, test } from 'bun:test'
import { recipientId } from '../../src/capture/recipient-id.ts'
import { signingKey } from '../account/sample-signing-keys.ts'

const key = signingKey({ purpose: 'click', id: 'click1' })

describe('recipient id', () => {
  test('names its key and is else of random look', () => {
    expect(recipientId('a', 'ada@example.test', key)).toMatch(/^click1\.[A-Za-z0-9_-]{22}$/)
  })

  test('is the same for the same address', () => {
    expect(recipientId('a', 'ada@example.test', key)).toBe(recipientId('a', 'ada@example.test', key))
  })

  test('is another for another address, account or key', () => {
    const ids = [
      recipientId('a', 'ada@example.test', key),
      recipientId('a', 'bob@example.test', key),
      recipientId('b', 'ada@example.test', key),
      recipientId('a', 'ada@example.test', signingKey({ purpose: 'click', id: 'click2' })),
    ]
    expect(new Set(ids.map((id) => id.split('.')[1])).size).toBe(4)
  })
})
