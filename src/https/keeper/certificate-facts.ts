import { certificateFacts as factsOf } from '../certificate-facts.ts'
import type { KeptCertificate } from '../kept-name.ts'
import { plainRenewal } from './renewal-time.ts'

/** What is told of a certificate. Its renewal is by its lifetime until the authority was asked for a window, which is due at once. */
export function certificateFacts(chain: string, directory: string, now: number): KeptCertificate {
  const facts = factsOf(chain)
  const { renewAt } = plainRenewal(facts, now)
  return { ...facts, renewAt, renewal: { window: null, askAt: now }, directory }
}
