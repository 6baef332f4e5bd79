import { CommitThread } from './commit-thread.ts'
import type { ThreadMemory } from './worker-messages.ts'

// The entry point of the writing thread. The handler is installed before anything is awaited: messages that arrive
// earlier would be lost.
declare const self: Worker

const thread = new CommitThread(self)
self.onmessage = (message: MessageEvent<string | ThreadMemory>) => thread.receive(message.data)
