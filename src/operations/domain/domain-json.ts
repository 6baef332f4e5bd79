import type { DomainStatus } from '../../https/domain-status.ts'
import { instant } from '../../report/instant.ts'
import type { PersistRecord } from './persist-record.ts'

/** The object of `domain list` (docs/domains.md); `persistRecord` stands in it where there is one. */
export const domainJson = (
  { host, account, use, state, reason, observed, certificate, nextTryAt }: DomainStatus,
  persistRecord: PersistRecord | null,
) => ({
  host,
  account,
  use,
  state,
  reason,
  observed,
  certificate: certificate && {
    issuer: certificate.issuer,
    notBefore: instant(certificate.notBefore),
    notAfter: instant(certificate.notAfter),
    renewAt: certificate.renewAt === null ? null : instant(certificate.renewAt),
    serial: certificate.serial,
  },
  nextTryAt: nextTryAt === null ? null : instant(nextTryAt),
  ...(persistRecord && { persistRecord }),
})

export type DomainJson = ReturnType<typeof domainJson>
