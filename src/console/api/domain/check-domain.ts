import { Type } from '@sinclair/typebox'
import { checkDomain, type DomainWanted } from '../../../operations/domain/check-domain.ts'
import { domainJson } from '../../../operations/domain/domain-json.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { domain } from './domain-schema.ts'

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
