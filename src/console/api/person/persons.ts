import { Type } from '@sinclair/typebox'
import { count, text, texts } from '../../../lib/schema.ts'
import { erasable, erasePerson } from '../../../operations/person/erase-person.ts'
import { erasureJson } from '../../../operations/person/erasure-json.ts'
import { listPersons } from '../../../operations/person/list-persons.ts'
import { personJson } from '../../../operations/person/person-json.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { showPerson } from '../../../operations/person/show-person.ts'
import { inChunks } from '../../../report/chunks.ts'
import { personColumns, personRecord, personSchema } from '../../../report/person-record.ts'
import { permissionOnBox } from '../../access/permission.ts'
import { cursorOf, numberIn } from '../cursor.ts'
import { accountEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'
import { wholeAnswer } from '../whole-answer.ts'
import { personSubject } from './person-subject.ts'

export const listPersonsEndpoint = accountList({
  path: '/accounts/:account/persons',
  summary: 'List persons, most recently known first; q searches address, id and traits',
  scope: 'read',
  audited: ({ format }) => (format === 'csv' ? 'export.read' : 'person.list'),
  subject: async () => 'persons',
  item: personSchema,
  columns: () => personColumns,
  async read({ account, query: { limit, cursor, q } }, box, onNotice) {
    const wanted = { account: account.handle, limit, behind: numberIn(cursor), q }
    const { persons, next } = await listPersons(box, wanted, onNotice)
    const found = await Promise.all(persons.map(({ email }) => box.persons.named(account.id, email)))
    // A person may have been erased in the meantime.
    return { items: found.filter((person) => person !== null).map(personRecord), next: cursorOf(next) }
  },
})

export const showPersonEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/persons/:person',
  summary: 'Read a person with all their records, by personId or address',
  scope: 'read',
  audited: 'person.read',
  subject: personSubject,
  answer: Type.Object({
    ...personSchema.properties,
    records: Type.Object({ submissions: Type.Array(Type.Unknown()), events: Type.Array(Type.Unknown()) }),
  }),
  async run({ account, params }, box) {
    const { email } = await personNamed(box, account, params.person ?? '')
    const shown = await showPerson(box, { account: account.handle, email }, () => {})
    // Somebody's right to know is not met by a part.
    return new Response(await wholeAnswer(inChunks(personJson(shown)), box), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  },
})

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
