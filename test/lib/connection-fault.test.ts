import { expect, test } from 'bun:test'
import { connectionFault } from '../../src/lib/exchange.ts'
import { ownPort } from '../harness/loopback.ts'

test('a refused connection is named in words', async () => {
  const error = await fetch(`http://127.0.0.1:${ownPort()}/`).catch((fault: unknown) => fault)
  expect(connectionFault(error)).toBe('the connection was refused')
})

test('what has no words of its own is left to the caller', () => {
  expect(connectionFault(new Error('something else'))).toBeNull()
  expect(connectionFault('not an error')).toBeNull()
})
