import { Type } from '@sinclair/typebox'
import { pauseDestination, resumeDestination } from '../../../operations/delivery/pause-destination.ts'
import { rotateDeliverySecret } from '../../../operations/delivery/rotate-delivery-secret.ts'
import { testDestination, testedJson } from '../../../operations/delivery/test-destination.ts'
import { publisherOf } from '../../publisher.ts'
import { accountEndpoint } from '../endpoint.ts'
import { orNull } from '../or-null.ts'
import { destinationKind } from './delivery-schema.ts'

/** The permission that all of these endpoints need. */
const common = { method: 'POST', scope: 'admin', clients: 'nothing' } as const
const below = '/accounts/:account/destinations/:destination'

const pauseAnswer = Type.Object({ account: Type.String(), destination: Type.String(), paused: Type.Boolean() })

export const pauseDestinationEndpoint = accountEndpoint({
  ...common,
  path: `${below}/pause`,
  summary: 'Pause a destination; new deliveries wait',
  audited: 'destination.pause',
  answer: pauseAnswer,
  async run({ account: { handle: account }, params: { destination = '' } }, box) {
    await pauseDestination(box, { account, name: destination })
    return { value: { account, destination, paused: true } }
  },
})

export const resumeDestinationEndpoint = accountEndpoint({
  ...common,
  path: `${below}/resume`,
  summary: 'Resume a paused destination and send waiting deliveries',
  audited: 'destination.resume',
  answer: pauseAnswer,
  async run({ account: { handle: account }, params: { destination = '' } }, box) {
    await resumeDestination(box, { account, name: destination })
    return { value: { account, destination, paused: false } }
  },
})

export const testDestinationEndpoint = accountEndpoint({
  ...common,
  path: `${below}/test`,
  summary: 'Send a marked example to a destination now, and read the exchange',
  audited: 'destination.test',
  answer: Type.Object({
    account: Type.String(),
    destination: Type.String(),
    kind: destinationKind,
    delivered: Type.Boolean(),
    status: orNull(Type.Integer()),
    error: orNull(Type.String()),
    exchange: Type.String(),
  }),
  async run({ account, params }, box) {
    const named = { account: account.handle, name: params.destination ?? '' }
    return { value: testedJson(await testDestination(box, named)) }
  },
})

export const rotateDestinationSecret = accountEndpoint({
  ...common,
  path: `${below}/secret/rotate`,
  summary: 'Make a new secret for a webhook and show it once; the old secret also signs for seven days',
  asksAgain: true,
  audited: 'destination.secret.rotate',
  answer: Type.Object({
    account: Type.String(),
    destination: Type.String(),
    secret: Type.String(),
    oldSignsUntil: Type.String(),
  }),
  async run({ account, caller, params }, box) {
    const named = { account: account.handle, name: params.destination ?? '', by: publisherOf(caller) }
    const { name: destination, secret, oldSignsUntil } = await rotateDeliverySecret(box, named)
    const until = new Date(oldSignsUntil).toISOString()
    return { value: { account: account.handle, destination, secret, oldSignsUntil: until } }
  },
})
