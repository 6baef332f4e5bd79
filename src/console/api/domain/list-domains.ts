import { type DomainJson, domainJson } from '../../../operations/domain/domain-json.ts'
import { listDomains } from '../../../operations/domain/list-domains.ts'
import type { Column } from '../../../report/csv.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type ApiCall, accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { type ListQuery, listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { domainSchema } from './domain-schema.ts'

export const listAccountDomains = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/domains',
  summary: 'List the domains of an account, each with its certificate or why it has none',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(domainSchema),
  run: (call, box) => domains(call, call.account.handle, box),
})

export const listBoxDomains = boxEndpoint({
  method: 'GET',
  path: '/domains',
  summary: 'List every name of the box, each with its certificate or why it has none',
  scope: 'read',
  query: listQuery,
  answer: listOf(domainSchema),
  run: (call, box) => domains(call, null, box),
})

async function domains({ query, request }: ApiCall<ListQuery>, account: string | null, box: ConsoleBox) {
  const { domains, persistRecords } = await listDomains(box, { account, asksAuthority: true })
  const all = domains
    .map((domain) => domainJson(domain, persistRecords.get(domain.host) ?? null))
    .sort((one, other) => (one.host < other.host ? -1 : 1))
  const page = pageOf(all, query, {
    key: ({ host }) => host,
    texts: ({ host, account, state }) => [host, account ?? '', state],
  })
  return listAnswer(page, { query, url: request.url }, columns)
}

const columns: Column<DomainJson>[] = [
  { header: 'host', cell: ({ host }) => host },
  { header: 'account', cell: ({ account }) => account ?? '' },
  { header: 'use', cell: ({ use }) => use },
  { header: 'state', cell: ({ state }) => state },
  { header: 'reason', cell: ({ reason }) => reason },
  { header: 'issuer', cell: ({ certificate }) => certificate?.issuer ?? '' },
  { header: 'notAfter', cell: ({ certificate }) => certificate?.notAfter ?? '' },
  { header: 'nextTryAt', cell: ({ nextTryAt }) => nextTryAt ?? '' },
]
