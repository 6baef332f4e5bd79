import { afterEach, expect, test } from 'bun:test'
import { WaitingMessages } from '../../../../src/storage/sqlite/commit/worker-messages.ts'
import { WritingThread } from '../../../../src/storage/sqlite/commit/writing-thread.ts'

let thread: WritingThread | null = null

afterEach(() => thread?.end('the test is over'))

/** Both sides of one memory. */
function bothSides() {
  const sender = new WaitingMessages()
  return { sender, receiver: new WaitingMessages(sender.memory) }
}

test('a message waits from when it is sent until it is received', () => {
  const { sender, receiver } = bothSides()
  expect(receiver.any()).toBe(false)
  sender.noteSent()
  expect(receiver.any()).toBe(true)
  receiver.noteReceived()
  expect(receiver.any()).toBe(false)
})

test('one message received of two leaves one waiting', () => {
  const { sender, receiver } = bothSides()
  sender.noteSent()
  sender.noteSent()
  receiver.noteReceived()
  expect(receiver.any()).toBe(true)
})

test('nothing waits where the sender does not count', () => {
  const receiver = new WaitingMessages()
  receiver.noteReceived()
  expect(receiver.any()).toBe(false)
})

test('a thread that is at work sees what is sent to it meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  thread = new WritingThread(
    { workerFile: new URL('./absorbed-ledger-worker.ts', import.meta.url), databaseFile: 'none.db', version: '1.0.0' },
    { onReply: resolve, onEnd: resolve },
  )
  thread.send({ close: true })
  expect(await promise).toEqual({ closed: true })
})
