import type { LoadedConfig } from '../../config/load.ts'
import type { ToConsole } from '../../console/thread-messages.ts'
import { ConsoleWorkplace } from './console-workplace.ts'

// The entry point of the console's thread. The handler is installed before anything is awaited: messages that arrive
// earlier would be lost.
declare const self: Worker

const workplace = new ConsoleWorkplace((message) => self.postMessage(message))
self.onmessage = (message: MessageEvent<ToConsole<LoadedConfig>>) => workplace.receive(message.data)
