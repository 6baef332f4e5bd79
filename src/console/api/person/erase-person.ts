import { Type } from '@sinclair/typebox'
import { erasable, erasePerson } from '../../../operations/person/erase-person.ts'
import { erasureJson } from '../../../operations/person/erasure-json.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { permissionOnBox } from '../../access/permission.ts'
import { accountEndpoint } from '../endpoint.ts'
import { personSubject } from './person-subject.ts'

const texts = Type.Array(Type.String())

/** The output of `capture person erase --json`, with `snapshots` and `movedAside` for owners and tokens of the box only. */
const erasureSchema = Type.Object({
  account: Type.String(),
  erased: Type.Boolean(),
  submissions: Type.Integer(),
  events: Type.Integer(),
  pageViews: Type.Integer(),
  clicks: Type.Integer(),
  devices: Type.Integer(),
  unreadable: Type.Integer(),
  verified: Type.Optional(Type.Boolean()),
  mentions: Type.Optional(Type.Integer()),
  mentionedIn: Type.Optional(texts),
  notDerived: Type.Optional(Type.Integer()),
  snapshots: Type.Optional(texts),
  movedAside: Type.Optional(texts),
  destinations: Type.Optional(texts),
})

export const erasePersonEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account/persons/:person',
  summary: 'Erase a person, by personId or address; with dryRun, count what would be erased',
  scope: 'erase',
  clients: 'nothing',
  asksAgain: true,
  audited: ({ dryRun }) => (dryRun ? 'person.read' : 'person.erase'),
  subject: personSubject,
  query: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
  answer: erasureSchema,
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
