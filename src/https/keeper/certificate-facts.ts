import { X509Certificate } from 'node:crypto'
import type { KeptCertificate } from '../kept-name.ts'
import { plainRenewal } from './renewal-time.ts'

/** What is told of a certificate. Its renewal is by its lifetime until the authority was asked for a window, which is due at once. */
export function certificateFacts(chain: string, directory: string, now: number): KeptCertificate {
  const leaf = new X509Certificate(chain)
  const life = { notBefore: leaf.validFromDate.getTime(), notAfter: leaf.validToDate.getTime() }
  const { renewAt } = plainRenewal(life, now)
  return {
    ...life,
    renewAt,
    renewal: { window: null, askAt: now },
    issuer: issuerName(leaf.issuer),
    serial: leaf.serialNumber.toLowerCase(),
    directory,
  }
}

/** `Let's Encrypt E7`: lines of `O=…` and `CN=…`. */
function issuerName(issuer: string): string {
  const part = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(issuer)?.[1] ?? ''
  return [part('O'), part('CN')].filter((text) => text !== '').join(' ') || issuer.replaceAll('\n', ', ')
}
