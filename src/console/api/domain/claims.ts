import { Type } from '@sinclair/typebox'
import { text } from '../../../lib/schema.ts'
import {
  addDomainSuffix,
  domainSuffixes,
  releaseDomain,
  removeDomainSuffix,
  reservedDomain,
  reservedDomainJson,
  reservedDomains,
} from '../../../operations/domain/reserved-domains.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { pageOf } from '../cursor.ts'
import { accountList, boxList } from '../list.ts'

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
