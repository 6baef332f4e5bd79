import { Type } from '@sinclair/typebox'
import { personJson } from '../../../operations/person/person-json.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { showPerson } from '../../../operations/person/show-person.ts'
import { watchedLack } from '../../../operations/record/lack.ts'
import { inChunks } from '../../../report/chunks.ts'
import { accountEndpoint } from '../endpoint.ts'
import { wholeAnswer } from '../whole-answer.ts'
import { person } from './person-schema.ts'
import { personSubject } from './person-subject.ts'

export const showPersonEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/persons/:person',
  summary: 'Read a person with all their records, by personId or address',
  scope: 'read',
  audited: 'person.read',
  subject: personSubject,
  query: Type.Object({
    partial: Type.Boolean({
      default: false,
      description: 'Leaves out records that cannot be read, for which the call is refused otherwise, or breaks off',
    }),
  }),
  answer: Type.Object({
    ...person,
    records: Type.Object({ submissions: Type.Array(Type.Unknown()), events: Type.Array(Type.Unknown()) }),
  }),
  async run({ account, params, query: { partial } }, box) {
    const { email } = await personNamed(box, account, params.person ?? '')
    const { onNotice, isWhole } = watchedLack()
    const shown = await showPerson(box, { account: account.handle, email }, onNotice)
    // Somebody's right to know is not met by a part.
    return new Response(await wholeAnswer(inChunks(personJson(shown)), { partial, isWhole, log: box.log }), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  },
})
