import { Type } from '@sinclair/typebox'
import { text } from '../../lib/schema.ts'
import { domainJson, domainSchema } from '../../operations/domain/domain-statuses.ts'
import { checkDomain, checkNameOfBox, listDomains } from '../../operations/domain/list-domains.ts'
import {
  addDomainSuffix,
  domainSuffixes,
  releaseDomain,
  removeDomainSuffix,
  reservedDomain,
  reservedDomainJson,
  reservedDomains,
} from '../../operations/domain/reserved-domains.ts'
import type { ConsoleBox } from '../console-box.ts'
import { actEndpoint } from './endpoint.ts'
import { accountList, boxList, type ListAsked, pageOf } from './list.ts'

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

export const listDomainSuffixes = accountList({
  path: '/accounts/:account/suffixes',
  summary: "List the suffixes under which the account's own users and tokens connect names",
  scope: 'read',
  item: Type.Object({ suffix: text }),
  columns: ['suffix'],
  async read({ query, account }, box) {
    const { suffixes } = await domainSuffixes(box, account.handle)
    const all = suffixes.map((suffix) => ({ suffix }))
    return pageOf(all, query, { key: ({ suffix }) => suffix, texts: ({ suffix }) => [suffix] })
  },
})

export const addDomainSuffixEndpoint = actEndpoint(addDomainSuffix, {
  method: 'POST',
  path: '/accounts/:account/suffixes',
  sends: 'body',
})

export const removeDomainSuffixEndpoint = actEndpoint(removeDomainSuffix, {
  method: 'DELETE',
  path: '/accounts/:account/suffixes/:suffix',
})

export const listReservedDomains = boxList({
  path: '/domains/reserved',
  summary: 'List the names that are reserved for accounts that had them',
  scope: 'read',
  item: reservedDomain,
  columns: ['host', 'account', 'droppedAt', 'reservedUntil'],
  read: async ({ query }, box) =>
    pageOf((await reservedDomains(box)).map(reservedDomainJson), query, {
      key: ({ host }) => host,
      texts: ({ host, account }) => [host, account],
    }),
})

export const releaseDomainEndpoint = actEndpoint(releaseDomain, { method: 'POST', path: '/domains/:host/release' })
