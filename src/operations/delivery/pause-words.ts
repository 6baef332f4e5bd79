import type { PauseReason } from '../../delivery/delivery-control.ts'

/** Why nothing is sent to a destination. */
export const pauseWords: Readonly<Record<PauseReason, string>> = {
  hand: 'an operator has paused it',
  gone: 'it answered 410, which asks for no more deliveries',
  failing: 'nothing but failure came of it for five days',
}
