import type { ToDeliverer } from '../../../delivery/thread-messages.ts'
import { DeliveryWorkplace } from './delivery-workplace.ts'

// The entry point of the delivering thread. The handler is installed before anything is awaited: messages that arrive
// earlier would be lost.
declare const self: Worker

const workplace = new DeliveryWorkplace((message) => self.postMessage(message))
self.onmessage = (message: MessageEvent<ToDeliverer>) => workplace.receive(message.data)
