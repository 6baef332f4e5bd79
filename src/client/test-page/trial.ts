import type { DomainCheck, FormCheck, Report } from './check.ts'
import type { ConnectedDomain, TestPageData } from './data.ts'
import type { Website } from './website.ts'

export interface DomainTrial {
  domain: ConnectedDomain
  /** An empty website, for this domain's script alone. */
  website: Website
  /** `null`: not stated. */
  trackingKey: string | null
  report: Report<DomainCheck>
}

export interface FormTrial {
  domain: ConnectedDomain
  form: TestPageData['forms'][number]
  /** An empty website, for this form alone. */
  website: Website
  /** Whether this page may send to the domain. */
  maySend: boolean
  report: Report<FormCheck>
}
