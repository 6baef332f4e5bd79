import { certificateFacts } from '../certificate-facts.ts'
import type { KeptCertificate } from '../kept-name.ts'
import { plainRenewal } from './renewal-time.ts'

/** The stored form of a new certificate. Its renewal follows from the lifetime until the authority is asked for a window, which is due at once. */
export function issuedCertificate(chain: string, directory: string, now: number): KeptCertificate {
  const facts = certificateFacts(chain)
  return { ...facts, ...plainRenewal(facts, now), renewal: { window: null, askAt: now }, directory }
}
