import { type ThreadMemory, WaitingMessages } from '../../../../src/storage/sqlite/commit/worker-messages.ts'

// A writing thread that is at work from its first request until it sees that a second one waits.
declare const self: Worker

let messages = new WaitingMessages()
self.onmessage = (message: MessageEvent<string | ThreadMemory>) => {
  if (typeof message.data !== 'string') {
    messages = new WaitingMessages(message.data.messages)
    return
  }
  messages.noteReceived()
  while (!messages.any()) Bun.sleepSync(1)
  self.postMessage({ closed: true })
}
