import { CommitThread } from '../../../src/storage/sqlite/commit-thread.ts'

// The writing thread, with two ways to die: what an entry holds decides.
declare const self: Worker

const thread = new CommitThread(self)
self.onmessage = (message: MessageEvent<string>) => {
  if (message.data.includes('"die by a fault"')) throw new Error('a fault in the writing thread')
  if (message.data.includes('"die at once"')) process.exit(1)
  thread.receive(message.data)
}
