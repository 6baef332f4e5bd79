import { Type } from '@sinclair/typebox'
import { erasable, erasePerson, erasureJson } from '../../operations/person/erase-person.ts'
import { personIdOf, personNamed } from '../../operations/person/person-named.ts'
import { listPersons, personJson, showPerson } from '../../operations/person/show-person.ts'
import { inChunks } from '../../report/json-text.ts'
import { personColumns, personRecord, personSchema } from '../../report/person-reader.ts'
import { permissionOnBox } from '../access/permission.ts'
import type { ConsoleBox } from '../console-box.ts'
import { type AccountCall, accountEndpoint, acting, wholeAnswer } from './endpoint.ts'
import { accountList, cursorOf, numberIn } from './list.ts'

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

/** The act, or with `dryRun` what it would do. */
export const erasePersonEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account/persons/:person',
  summary: `${erasePerson.text}; with dryRun, count what would be erased`,
  scope: erasePerson.scope,
  asksAgain: erasePerson.asksAgain === true,
  audited: ({ dryRun }) => (dryRun ? 'person.read' : erasePerson.name),
  subject: personSubject,
  query: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
  answer: erasePerson.answer,
  async run({ account, caller, params, query }, box) {
    const person = params.person ?? ''
    if (query.dryRun) {
      const { email } = await personNamed(box, account, person)
      return { value: erasureJson({ erased: false, ...(await erasable(box, { account: account.handle, email })) }) }
    }
    const done = await erasePerson.run(box, { account: account.handle, person }, acting(caller))
    const { snapshots, movedAside, ...receipt } = done.answer
    // Where they lie is nothing to whoever works on one account.
    const isOfBox = permissionOnBox(caller, 'erase') === 'whole'
    return { value: { ...receipt, ...(isOfBox && { snapshots, movedAside }) } }
  },
})

export function personSubject(
  { account, params }: Pick<AccountCall, 'account' | 'params'>,
  box: ConsoleBox,
): Promise<string> {
  return personIdOf(box, { account: account.handle, person: params.person ?? '' })
}
