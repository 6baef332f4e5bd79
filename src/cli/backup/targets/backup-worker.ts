import type { ToBackup } from '../../../backup/thread-messages.ts'
import type { Config } from '../../../config/config.ts'
import { BackupWorkplace } from './backup-workplace.ts'

// The entry point of the thread that backs up. The handler is installed before anything is awaited: messages that arrive
// earlier would be lost.
declare const self: Worker

const workplace = new BackupWorkplace((message) => self.postMessage(message))
self.onmessage = (message: MessageEvent<ToBackup<Config>>) => workplace.receive(message.data)
