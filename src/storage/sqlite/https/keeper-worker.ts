import type { ToKeeper } from '../../../https/keeper/thread-messages.ts'
import { KeeperWorkplace } from './keeper-workplace.ts'

// The entry point of the thread that keeps certificates. The handler is installed before anything is awaited: messages
// that arrive earlier would be lost.
declare const self: Worker

const workplace = new KeeperWorkplace((message) => self.postMessage(message))
self.onmessage = (message: MessageEvent<ToKeeper>) => workplace.receive(message.data)
