import { type Static, Type } from '@sinclair/typebox'
import { flag, text } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { destinationNamed } from './destination-named.ts'

/** A destination by its name. */
export const destinationWanted = Type.Object({ destination: text })
export type DestinationWanted = Static<typeof destinationWanted> & { account: string }

/** What acts on one destination have in common. */
export const onDestination = {
  of: 'account',
  scope: 'admin',
  input: destinationWanted,
  subject: ({ destination }: DestinationWanted) => destination,
} as const

const answer = Type.Object({ account: text, destination: text, paused: flag })

export const pauseDestination = defineAct({
  ...onDestination,
  name: 'destination.pause',
  text: 'Pause a destination; new deliveries wait',
  answer,
  async run(box: Pick<Box, 'accounts' | 'deliveries' | 'clock'>, { account: handle, destination }) {
    const account = await accountNamed(box.accounts, handle)
    await box.deliveries.pause(account.id, destinationNamed(account, destination).name, box.clock.now())
    return { answer: { account: handle, destination, paused: true } }
  },
})

export const resumeDestination = defineAct({
  ...onDestination,
  name: 'destination.resume',
  text: 'Resume a paused destination and send waiting deliveries',
  answer,
  async run(box: Pick<Box, 'accounts' | 'deliveries'>, { account: handle, destination }) {
    const account = await accountNamed(box.accounts, handle)
    await box.deliveries.resume(account.id, destinationNamed(account, destination).name)
    return { answer: { account: handle, destination, paused: false } }
  },
})
