import { Type } from '@sinclair/typebox'
import { listPersons } from '../../../operations/person/list-persons.ts'
import { personColumns } from '../../../report/person-columns.ts'
import { type PersonRecord, personRecord } from '../../../report/person-record.ts'
import { cursorOf, numberIn } from '../cursor.ts'
import { accountList } from '../list.ts'
import { person } from './person-schema.ts'

export const listPersonsEndpoint = accountList({
  path: '/accounts/:account/persons',
  summary: 'List persons, most recently known first; q searches address, id and traits',
  scope: 'read',
  audited: ({ format }) => (format === 'csv' ? 'export.read' : 'person.list'),
  subject: async () => 'persons',
  item: Type.Unsafe<PersonRecord>(Type.Object(person)),
  columns: () => personColumns,
  async read({ account, query: { limit, cursor, q } }, box, onNotice) {
    const wanted = { account: account.handle, limit, behind: numberIn(cursor), q }
    const { persons, next } = await listPersons(box, wanted, onNotice)
    const found = await Promise.all(persons.map(({ email }) => box.persons.named(account.id, email)))
    // A person may have been erased in the meantime.
    return { items: found.filter((person) => person !== null).map(personRecord), next: cursorOf(next) }
  },
})
