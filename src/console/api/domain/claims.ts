import { Type } from '@sinclair/typebox'
import { closed, text, texts } from '../../../lib/schema.ts'
import {
  addDomainSuffix,
  domainSuffixes,
  releaseDomain,
  removeDomainSuffix,
  reservedDomainJson,
  reservedDomains,
} from '../../../operations/domain/reserved-domains.ts'
import { domainReleased, suffixesChanged } from '../../audit/changes.ts'
import { pageOf } from '../cursor.ts'
import { accountEndpoint, boxEndpoint } from '../endpoint.ts'
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

const changing = {
  scope: 'admin',
  ownersOnly: true,
  audited: 'account.domains',
  answer: Type.Object({ account: text, suffixes: texts }),
} as const

export const addDomainSuffixEndpoint = accountEndpoint({
  ...changing,
  method: 'POST',
  path: '/accounts/:account/suffixes',
  summary: "Let the account's own users and tokens connect every name below a suffix",
  body: closed({ suffix: text }),
  async run({ account, body: { suffix } }, box) {
    const value = await addDomainSuffix(box, { account: account.handle, suffix })
    return { value, subject: suffix, change: suffixesChanged('added', suffix)(value) }
  },
})

export const removeDomainSuffixEndpoint = accountEndpoint({
  ...changing,
  method: 'DELETE',
  path: '/accounts/:account/suffixes/:suffix',
  summary: 'Allow the names below a suffix no longer; connected ones stay',
  async run({ account, params: { suffix = '' } }, box) {
    const value = await removeDomainSuffix(box, { account: account.handle, suffix })
    return { value, change: suffixesChanged('removed', suffix)(value) }
  },
})

const reserved = Type.Object({ host: text, account: text, droppedAt: text, reservedUntil: text })

export const listReservedDomains = boxList({
  path: '/domains/reserved',
  summary: 'List the names that are reserved for accounts that had them',
  scope: 'read',
  item: reserved,
  columns: ['host', 'account', 'droppedAt', 'reservedUntil'],
  read: async ({ query }, box) =>
    pageOf((await reservedDomains(box)).map(reservedDomainJson), query, {
      key: ({ host }) => host,
      texts: ({ host, account }) => [host, account],
    }),
})

export const releaseDomainEndpoint = boxEndpoint({
  method: 'POST',
  path: '/domains/:host/release',
  summary: 'Free a name that is reserved for the account that had it',
  scope: 'admin',
  audited: 'domain.release',
  answer: reserved,
  async run({ params }, box) {
    const released = await releaseDomain(box, params.host ?? '')
    return { value: reservedDomainJson(released), change: domainReleased(released) }
  },
})
