import type { ToKeeper } from '../../../https/keeper/thread-messages.ts'
import { KeeperWorkplace } from './keeper-workplace.ts'

// The entry point of the thread that keeps certificates. Install the handler before awaiting anything: earlier messages
// would be lost.
declare const self: Worker

const workplace = new KeeperWorkplace((message) => self.postMessage(message))
self.onmessage = (message: MessageEvent<ToKeeper>) => workplace.receive(message.data)
