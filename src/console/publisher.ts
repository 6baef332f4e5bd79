import type { Publisher } from '../account/publisher.ts'
import type { Caller } from './access/caller.ts'

/** The caller as a publisher. */
export const publisherOf = (caller: Caller): Publisher =>
  caller.kind === 'user' ? { via: 'console', name: caller.email } : { via: 'api', name: caller.name }
