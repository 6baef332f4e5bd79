import { commitOnThisThread } from '../storage/sqlite/commit-thread.ts'
import type { CommitRequest } from '../storage/sqlite/worker-messages.ts'

// The entry point of the writing thread. The handler is installed before anything is awaited: messages that arrive
// earlier would be lost.
declare const self: Worker

const handle = commitOnThisThread(self)
self.onmessage = (message: MessageEvent<CommitRequest>) => handle(message.data)
