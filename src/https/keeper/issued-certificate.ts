import { certificateFacts } from '../certificate-facts.ts'
import type { KeptCertificate } from '../kept-name.ts'
import { plainRenewal } from './renewal-time.ts'

/** What is kept of a new certificate. Its renewal is by its lifetime until the authority was asked for a window, which is due at once. */
export function issuedCertificate(chain: string, directory: string, now: number): KeptCertificate {
  const facts = certificateFacts(chain)
  return { ...facts, ...plainRenewal(facts, now), renewal: { window: null, askAt: now }, directory }
}
