import { listPersons } from '../../../operations/person/list-persons.ts'
import { personColumns } from '../../../report/person-columns.ts'
import { personRecord } from '../../../report/person-record.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery } from '../list.ts'
import { personCursor, personPlace } from './person-cursor.ts'
import { personSchema } from './person-schema.ts'

export const listPersonsEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/persons',
  summary: 'List persons, most recently known first; q searches address, id and traits',
  scope: 'read',
  clients: 'nothing',
  audited: ({ format }) => (format === 'csv' ? 'export.read' : 'person.list'),
  subject: async () => 'persons',
  query: listQuery,
  answer: listOf(personSchema),
  async run({ account, query, request }, box) {
    const { limit, cursor, q } = query
    const behind = cursor === undefined ? null : personPlace(cursor)
    const { persons, next } = await listPersons(box, { account: account.handle, limit, behind, q }, () => {})
    const items = await Promise.all(persons.map(({ email }) => box.persons.named(account.id, email)))
    // A person may have been erased in the meantime.
    const page = {
      items: items.flatMap((person) => (person === null ? [] : [personRecord(person)])),
      next: personCursor(next),
    }
    return listAnswer(page, { query, url: request.url }, personColumns)
  },
})
