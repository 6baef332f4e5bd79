import type { Publisher } from '../account/publisher.ts'
import type { Caller } from './access/caller.ts'

/** Whoever calls, as the one who publishes. */
export const publisherOf = (caller: Caller): Publisher =>
  caller.kind === 'user' ? { via: 'console', name: caller.email } : { via: 'api', name: caller.name }
