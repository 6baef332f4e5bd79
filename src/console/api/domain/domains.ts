import { Type } from '@sinclair/typebox'
import { oneOf, orNull, text, textOrNull, texts } from '../../../lib/schema.ts'
import { domainJson } from '../../../operations/domain/domain-statuses.ts'
import { checkDomain, type DomainWanted, listDomains } from '../../../operations/domain/list-domains.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type ListAsked, pageOf } from '../cursor.ts'
import { accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { accountList, boxList } from '../list.ts'

/** One object of `domain list --json` (docs/domains.md). */
const domain = Type.Object({
  host: text,
  account: textOrNull,
  use: oneOf(['site', 'preview', 'console']),
  state: oneOf(['active', 'waiting', 'failing', 'off']),
  reason: text,
  observed: Type.Object({
    a: texts,
    aaaa: texts,
    cname: textOrNull,
    caa: texts,
    http: oneOf(['ours', 'other', 'none', 'unknown']),
  }),
  certificate: orNull(
    Type.Object({ issuer: text, notBefore: text, notAfter: text, renewAt: textOrNull, serial: text }),
  ),
  nextTryAt: textOrNull,
  persistRecord: Type.Optional(Type.Object({ name: text, value: text })),
})

const listing = {
  scope: 'read',
  item: domain,
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
} satisfies Partial<Parameters<typeof boxList<typeof domain>>[0]>

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

const checking = {
  method: 'POST',
  scope: 'admin',
  audited: 'domain.check',
  query: Type.Object({ now: Type.Boolean({ default: false, description: 'try to get a certificate now' }) }),
  answer: domain,
} as const

export const checkAccountDomain = accountEndpoint({
  ...checking,
  path: '/accounts/:account/domains/:host/check',
  summary: 'Check DNS, CAA records and port 80 of a domain now',
  run: ({ account, params, query }, box) =>
    checked({ host: params.host ?? '', account: account.handle, isNow: query.now }, box),
})

export const checkBoxDomain = boxEndpoint({
  ...checking,
  path: '/domains/:host/check',
  summary: 'Check DNS, CAA records and port 80 of any name of the box now',
  run: ({ params, query }, box) => checked({ host: params.host ?? '', account: null, isNow: query.now }, box),
})

async function checked(wanted: DomainWanted, box: ConsoleBox) {
  const { status, persistRecord } = await checkDomain(box, wanted)
  return { value: domainJson(status, persistRecord) }
}
