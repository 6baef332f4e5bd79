import { newKeyText } from '../lib/id.ts'

/** The way by which the public listeners hand requests on to the console's thread. */
export interface Passage {
  /** A socket in the abstract namespace (unix(7)): it has no file, and goes with the process. */
  socket: string
  /** Any program on this machine may connect; who does not send this gets nothing. */
  secret: string
}

export const newPassage = (): Passage => ({ socket: `\0capture-console-${newKeyText(24)}`, secret: newKeyText(43) })

export const passageHeader = 'x-capture-passage'
/** What the listener found out of the client; whatever the client had put there is overwritten. */
export const clientAddressHeader = 'x-capture-client'
export const schemeHeader = 'x-capture-scheme'
