import type { ToDeliverer } from '../../../delivery/thread-messages.ts'
import { DeliveryWorkplace } from './delivery-workplace.ts'

// The entry point of the delivering thread. Install the handler before awaiting anything: earlier messages would be
// lost.
declare const self: Worker

const workplace = new DeliveryWorkplace((message) => self.postMessage(message))
self.onmessage = (message: MessageEvent<ToDeliverer>) => workplace.receive(message.data)
