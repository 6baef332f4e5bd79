import { Type } from '@sinclair/typebox'
import { erasable, erasePerson } from '../../../operations/person/erase-person.ts'
import { erasureJson } from '../../../operations/person/erasure-json.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { permissionOnBox } from '../../access/permission.ts'
import { accountEndpoint } from '../endpoint.ts'
import { count, text, texts } from '../schema.ts'
import { personSubject } from './person-subject.ts'

export const erasePersonEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account/persons/:person',
  summary: 'Erase a person, by personId or address; with dryRun, count what would be erased',
  scope: 'erase',
  asksAgain: true,
  audited: ({ dryRun }) => (dryRun ? 'person.read' : 'person.erase'),
  subject: personSubject,
  query: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
  /** The output of `capture person erase --json`, with `snapshots` and `movedAside` for owners and tokens of the box only. */
  answer: Type.Object({
    account: text,
    erased: Type.Boolean(),
    submissions: count,
    events: count,
    pageViews: count,
    clicks: count,
    devices: count,
    unreadable: count,
    verified: Type.Optional(Type.Boolean()),
    mentions: Type.Optional(count),
    mentionedIn: Type.Optional(texts),
    notDerived: Type.Optional(count),
    snapshots: Type.Optional(texts),
    movedAside: Type.Optional(texts),
    destinations: Type.Optional(texts),
  }),
  async run({ account, caller, params, query }, box) {
    const { email } = await personNamed(box, account, params.person ?? '')
    const person = { account: account.handle, email }
    if (query.dryRun) return { value: erasureJson({ erased: false, ...(await erasable(box, person)) }) }
    const { snapshots, movedAside, ...receipt } = erasureJson(await erasePerson(box, person))
    // Where they lie is nothing to whoever works on one account.
    const isOfBox = permissionOnBox(caller, 'erase') === 'whole'
    return { value: { ...receipt, ...(isOfBox && { snapshots, movedAside }) } }
  },
})
