import { Type } from '@sinclair/typebox'
import { OperatorError } from '../../lib/operator-error.ts'
import { count, flag, oneOf, orNull, text } from '../../lib/schema.ts'
import { type RetentionKeeper, retentionClasses } from '../../processing/retention.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { clockDoubt } from './retention-words.ts'

/** Permits the waiting deletion of an account for one pass; `allowed` is `null` if none waits. */
export const allowDeletion = defineAct({
  name: 'retention.allow',
  text: "Permit an account's deletion that waits for consent",
  of: 'account',
  scope: 'admin',
  input: Type.Object({}),
  answer: Type.Object({
    account: text,
    allowed: orNull(
      Type.Object({
        class: oneOf(retentionClasses),
        due: count,
        kept: count,
        also: Type.Object({ submissions: count, events: count, refused: count }),
      }),
    ),
  }),
  async run({ accounts, retention }: Pick<Box, 'accounts' | 'retention'>, { account: named }) {
    const { id, handle } = await accountNamed(accounts, named)
    const clock = retention.clock()
    if (!clock.isBelieved) {
      const { found, advice } = clockDoubt(clock)
      throw new OperatorError(`${found} ${advice}`)
    }
    return { answer: { account: handle, allowed: await retention.allow(id) } }
  },
})

/** `doubted`: whether retention had doubted the clock. */
export const trustClock = defineAct({
  name: 'clock.trust',
  text: 'Confirm that the clock is right',
  of: 'box',
  scope: 'admin',
  input: Type.Object({}),
  answer: Type.Object({ now: text, doubted: flag }),
  async run({ retention }: Pick<Box, 'retention'>) {
    const { now, isBelieved } = retention.clock()
    if (!isBelieved) await retention.trustClock()
    return { answer: { now: new Date(now).toISOString(), doubted: !isBelieved } }
  },
})

/** The retention terms of each account, and the waiting deletions. */
export const listRetention = async ({
  retention,
}: Pick<Box, 'retention'>): Promise<{
  clock: ReturnType<RetentionKeeper['clock']>
  accounts: Awaited<ReturnType<RetentionKeeper['accounts']>>
}> => ({ clock: retention.clock(), accounts: await retention.accounts() })
