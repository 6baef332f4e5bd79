import { Type } from '@sinclair/typebox'
import { UnfitInput } from '../../lib/operator-error.ts'
import { count, text, texts } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { destinationNamed } from './destination-named.ts'
import { showDelivery } from './show-delivery.ts'

/** Makes deliveries due at once. `isServed`: whether a service runs, which alone sends; `paused`: where nothing is sent until it is resumed. */
export const retryDeliveries = defineAct({
  name: 'delivery.retry',
  text: 'Try deliveries again: all that wait or have failed, those of one destination, or only failed ones',
  of: 'account',
  scope: 'admin',
  input: Type.Object({
    delivery: Type.Optional(text),
    destination: Type.Optional(Type.String({ maxLength: 60 })),
    failed: Type.Boolean({ default: false }),
  }),
  answer: Type.Object({ account: text, retried: count, paused: texts }),
  subject: ({ account, delivery, destination }) => delivery ?? destination ?? account,
  async run(
    box: Pick<Box, 'accounts' | 'deliveries' | 'clock' | 'isServed'>,
    { account: handle, delivery: id, destination, failed },
  ) {
    if (destination !== undefined && failed)
      throw new UnfitInput('The parameters "destination" and "failed" exclude each other.')
    const { accounts, deliveries, clock } = box
    const account = await accountNamed(accounts, handle)
    const only = id === undefined ? destination : (await showDelivery(box, { account: handle, id })).destination
    if (destination !== undefined) destinationNamed(account, destination)
    const some = destination === undefined ? (failed ? ('failed' as const) : ('all' as const)) : { destination }
    const retried = await deliveries.retry(account.id, id === undefined ? some : { id }, clock.now())
    const paused = (await deliveries.destinations(account.id))
      .filter(({ pause, destination: { name } }) => pause !== null && (only === undefined || name === only))
      .map(({ destination: { name } }) => name)
    return { answer: { account: handle, retried, paused }, isServed: box.isServed() }
  },
})
