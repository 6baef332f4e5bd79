import { dirname, join } from 'node:path'
import { deleteAsset } from '../../storage/filesystem/asset-store.ts'
import { CommitThread } from '../../storage/sqlite/commit/commit-thread.ts'
import type { ThreadMemory } from '../../storage/sqlite/commit/worker-messages.ts'

// The entry point of the writing thread. Install the handler before awaiting anything: earlier messages would be lost.
declare const self: Worker

const thread = new CommitThread(self, (databaseFile, sha256) =>
  deleteAsset(join(dirname(databaseFile), 'assets'), sha256),
)
self.onmessage = (message: MessageEvent<string | ThreadMemory>) => thread.receive(message.data)
