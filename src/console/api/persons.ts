import { Type } from '@sinclair/typebox'
import { erasablePerson, erasePerson } from '../../operations/person/erase-person.ts'
import { personIdOf, personNamed } from '../../operations/person/person-named.ts'
import { listPersons, personJson, showPerson } from '../../operations/person/show-person.ts'
import { inChunks } from '../../report/json-text.ts'
import { personColumns, personRecord, personSchema } from '../../report/person-reader.ts'
import type { Caller } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { type AccountCall, accountEndpoint, acting, wholeAnswer } from './endpoint.ts'
import { dryRunQuery, receiptFor } from './erasures.ts'
import { accountList, cursorOf, numberIn } from './list.ts'

export const listPersonsEndpoint = accountList({
  path: '/accounts/:account/persons',
  summary: 'List persons, most recently known first; q searches address, id, traits and the name given last',
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

const erasing = {
  method: 'DELETE',
  scope: erasePerson.scope,
  asksAgain: true,
  audited: ({ dryRun }: { dryRun: boolean }) => (dryRun ? 'person.read' : erasePerson.name),
  answer: erasePerson.answer,
} as const

/** The act, or with `dryRun` what it would do. */
export const erasePersonEndpoint = accountEndpoint({
  ...erasing,
  path: '/accounts/:account/persons/:person',
  summary: 'Erase a person, by personId or address; with dryRun, count what would be erased',
  subject: personSubject,
  query: dryRunQuery,
  run: ({ account, caller, params, query }, box) =>
    erasureOf({ account: account.handle, person: params.person ?? '' }, { caller, ...query }, box),
})

/** The same of whoever sent a submission. */
export const eraseSenderEndpoint = accountEndpoint({
  ...erasing,
  path: '/accounts/:account/persons',
  summary: 'Erase whoever sent a submission, also without an address; with dryRun, count what would be erased',
  subject: async ({ query }) => (query as { submission: string }).submission,
  query: Type.Composite([dryRunQuery, Type.Object({ submission: Type.String({ maxLength: 100 }) })]),
  run: ({ account, caller, query: { submission, dryRun } }, box) =>
    erasureOf({ account: account.handle, submission }, { caller, dryRun }, box),
})

async function erasureOf(
  whom: Parameters<typeof erasablePerson>[1],
  { caller, dryRun }: { caller: Caller; dryRun: boolean },
  box: ConsoleBox,
) {
  if (dryRun) return { value: (await erasablePerson(box, whom, () => {})).answer }
  const { answer } = await erasePerson.run(box, whom, acting(caller))
  return { value: receiptFor(caller, answer) }
}

export function personSubject(
  { account, params }: Pick<AccountCall, 'account' | 'params'>,
  box: ConsoleBox,
): Promise<string> {
  return personIdOf(box, { account: account.handle, person: params.person ?? '' })
}
