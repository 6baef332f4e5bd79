import { expect, test } from 'bun:test'
import { eventStream, type LiveEvent } from '../../src/console/live/event-stream.ts'

// What it threw then was caught by nobody, and ended the thread of the whole console.
test('a stream writes nothing more once its listener has gone during a look', async () => {
  const looking = Promise.withResolvers<void>()
  const found = Promise.withResolvers<LiveEvent[]>()
  let ends = 0
  const look = () => {
    looking.resolve()
    return found.promise
  }
  const { body } = eventStream({ look, onEnd: () => void ends++ })
  await looking.promise
  await body?.cancel()
  found.resolve([{ name: 'lead', id: '1', data: {} }])
  // Bun fails a test for a rejection that nobody handles, once the queue of microtasks is empty.
  await new Promise((resolve) => setImmediate(resolve))
  expect(ends).toBe(1)
})
