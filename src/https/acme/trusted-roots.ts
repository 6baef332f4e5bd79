import { rootCertificates } from 'node:tls'

/** PEM of the roots that a directory's server may show: the operator's own beside the system's. @param own `null`: the system's alone */
export const trustedRoots = (own: string | null): string | null =>
  own === null ? null : [own, ...rootCertificates].join('\n')
