import { Type } from '@sinclair/typebox'
import { destinationKinds } from '../../../account/destination.ts'
import { count, oneOf, orNull, text, textOrNull, texts } from '../../../lib/schema.ts'
import { listDestinations } from '../../../operations/delivery/list-destinations.ts'
import { pauseDestination, resumeDestination } from '../../../operations/delivery/pause-destination.ts'
import { rotateDeliverySecret } from '../../../operations/delivery/rotate-delivery-secret.ts'
import { testDestination, testedJson } from '../../../operations/delivery/test-destination.ts'
import { publisherOf } from '../../publisher.ts'
import { pageOf } from '../cursor.ts'
import { type AccountCall, accountEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'

export const destinationKind = oneOf([...destinationKinds, 'reply'])

const path = '/accounts/:account/destinations'

export const listDestinationsEndpoint = accountList({
  path,
  summary: 'List the destinations of submissions and reports',
  scope: 'read',
  item: Type.Object({
    name: text,
    kind: destinationKind,
    to: Type.String({ description: 'Mail addresses, or the URL; for a chat only its host' }),
    forms: orNull(texts),
    paused: Type.Boolean(),
    waiting: count,
    failed: count,
    pauseReason: orNull(oneOf(['hand', 'gone', 'failing'])),
    pausedAt: textOrNull,
    failingSince: textOrNull,
  }),
  columns: [
    'name',
    'kind',
    'to',
    { header: 'forms', cell: ({ forms }) => forms?.join(', ') ?? '' },
    'pauseReason',
    'failingSince',
    'waiting',
    'failed',
  ],
  read: async ({ account, query }, box) =>
    pageOf(await listDestinations(box, account.handle), query, {
      key: ({ name }) => name,
      texts: ({ name, kind, to }) => [name, kind, to],
    }),
})

const named = ({ account, params }: AccountCall) => ({ account: account.handle, name: params.destination ?? '' })

const pausing = (verb: 'pause' | 'resume', summary: string) =>
  accountEndpoint({
    method: 'POST',
    path: `${path}/:destination/${verb}`,
    summary,
    scope: 'admin',
    audited: `destination.${verb}`,
    answer: Type.Object({ account: text, destination: text, paused: Type.Boolean() }),
    async run(call, box) {
      const { account, name } = named(call)
      await (verb === 'pause' ? pauseDestination : resumeDestination)(box, { account, name })
      return { value: { account, destination: name, paused: verb === 'pause' } }
    },
  })

export const pauseDestinationEndpoint = pausing('pause', 'Pause a destination; new deliveries wait')

export const resumeDestinationEndpoint = pausing('resume', 'Resume a paused destination and send waiting deliveries')

export const testDestinationEndpoint = accountEndpoint({
  method: 'POST',
  path: `${path}/:destination/test`,
  summary: 'Send a marked example to a destination now, and read the exchange',
  scope: 'admin',
  audited: 'destination.test',
  answer: Type.Object({
    account: text,
    destination: text,
    kind: destinationKind,
    delivered: Type.Boolean(),
    status: orNull(count),
    error: textOrNull,
    exchange: text,
  }),
  run: async (call, box) => ({ value: testedJson(await testDestination(box, named(call))) }),
})

export const rotateDestinationSecret = accountEndpoint({
  method: 'POST',
  path: `${path}/:destination/secret/rotate`,
  summary: 'Make a new secret for a webhook and show it once; the old secret also signs for seven days',
  scope: 'admin',
  asksAgain: true,
  audited: 'destination.secret.rotate',
  answer: Type.Object({ account: text, destination: text, secret: text, oldSignsUntil: text }),
  async run(call, box) {
    const wanted = { ...named(call), by: publisherOf(call.caller) }
    const { name: destination, secret, oldSignsUntil } = await rotateDeliverySecret(box, wanted)
    const until = new Date(oldSignsUntil).toISOString()
    return { value: { account: call.account.handle, destination, secret, oldSignsUntil: until } }
  },
})
