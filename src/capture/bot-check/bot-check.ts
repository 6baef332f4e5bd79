import type { Clock } from '../../lib/clock.ts'
import type { JsonValue } from '../../lib/json-value.ts'
import type { Log } from '../../lib/log.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import type { Visit } from '../visit.ts'

export interface BotCheck {
  /** Form check 8: whether the token verifies with the account's provider. Never rejects for a provider's fault. */
  verified(visit: Visit, token: JsonValue | undefined): Promise<boolean>
}

export function createBotCheck(_: { challenges: ChallengeStore; clock: Clock; log: Log }): BotCheck {
  return { verified: async () => false }
}
