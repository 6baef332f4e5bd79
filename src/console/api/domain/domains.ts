import { domainJson, domainSchema } from '../../../operations/domain/domain-statuses.ts'
import { checkDomain, checkNameOfBox, listDomains } from '../../../operations/domain/list-domains.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { type ListAsked, pageOf } from '../cursor.ts'
import { accountList, boxList } from '../list.ts'

const listing = {
  scope: 'read',
  item: domainSchema,
  columns: [
    'host',
    'account',
    'use',
    'state',
    'reason',
    { header: 'issuer', cell: ({ certificate }) => certificate?.issuer ?? '' },
    { header: 'notAfter', cell: ({ certificate }) => certificate?.notAfter ?? '' },
    'nextTryAt',
  ],
} satisfies Partial<Parameters<typeof boxList<typeof domainSchema>>[0]>

export const listAccountDomains = accountList({
  ...listing,
  path: '/accounts/:account/domains',
  summary: 'List the domains of an account, each with its certificate or why it has none',
  read: ({ query, account }, box) => domains(query, account.handle, box),
})

export const listBoxDomains = boxList({
  ...listing,
  path: '/domains',
  summary: 'List every name of the box, each with its certificate or why it has none',
  read: ({ query }, box) => domains(query, null, box),
})

async function domains(asked: ListAsked, account: string | null, box: ConsoleBox) {
  const { domains, persistRecords } = await listDomains(box, { account, asksAuthority: true })
  const all = domains
    .map((domain) => domainJson(domain, persistRecords.get(domain.host) ?? null))
    .sort((one, other) => (one.host < other.host ? -1 : 1))
  return pageOf(all, asked, {
    key: ({ host }) => host,
    texts: ({ host, account, state }) => [host, account ?? '', state],
  })
}

export const checkAccountDomain = actEndpoint(checkDomain, {
  method: 'POST',
  path: '/accounts/:account/domains/:host/check',
  sends: 'query',
})

export const checkBoxDomain = actEndpoint(checkNameOfBox, {
  method: 'POST',
  path: '/domains/:host/check',
  sends: 'query',
})
