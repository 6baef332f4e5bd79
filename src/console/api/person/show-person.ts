import { textStream } from '../../../lib/text-stream.ts'
import { personJson } from '../../../operations/person/person-json.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { showPerson } from '../../../operations/person/show-person.ts'
import { inChunks } from '../../../report/chunks.ts'
import { accountEndpoint } from '../endpoint.ts'
import { shownPersonSchema } from './person-schema.ts'
import { personSubject } from './person-subject.ts'

export const showPersonEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/persons/:person',
  summary: 'Read a person with all their records, by personId or address',
  scope: 'read',
  clients: 'nothing',
  audited: 'person.read',
  subject: personSubject,
  answer: shownPersonSchema,
  async run({ account, params }, box) {
    const { email } = await personNamed(box, account, params.person ?? '')
    const shown = await showPerson(box, { account: account.handle, email }, () => {})
    return new Response(textStream(inChunks(personJson(shown))), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  },
})
