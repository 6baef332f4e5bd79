import type { DomainStatus } from '../../https/domain-status.ts'

/** Exactly the object of contract section 10, `domain list`. */
export const domainJson = ({ host, account, use, state, reason, observed, certificate, nextTryAt }: DomainStatus) => ({
  host,
  account,
  use,
  state,
  reason,
  observed: {
    a: observed.a,
    aaaa: observed.aaaa,
    cname: observed.cname,
    caa: observed.caa,
    http: observed.http,
  },
  certificate: certificate && {
    issuer: certificate.issuer,
    notBefore: iso(certificate.notBefore),
    notAfter: iso(certificate.notAfter),
    renewAt: certificate.renewAt === null ? null : iso(certificate.renewAt),
    serial: certificate.serial,
  },
  nextTryAt: nextTryAt === null ? null : iso(nextTryAt),
})

const iso = (epochMs: number): string => new Date(epochMs).toISOString()
