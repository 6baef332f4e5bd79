import type { MailDestination } from '../../src/account/destination.ts'
import type { Lead } from '../../src/delivery/lead.ts'
import type { JsonObject } from '../../src/lib/json-value.ts'

export const aRecord = (changes: JsonObject = {}): JsonObject => ({
  submissionId: '019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90',
  status: 'accepted',
  refusedFor: null,
  test: false,
  attribution: { first: null, last: { source: 'google', medium: 'organic', campaign: 'spring' } },
  page: { slug: 'launch', sha256: '0' },
  source: { host: 'go.acme.example', referer: 'https://go.acme.example/launch', origin: 'https://go.acme.example' },
  ...changes,
})

export const aLead = (changes: Partial<Lead> = {}): Lead => ({
  accountId: '019408c2-0000-7000-8000-000000000001',
  accountName: 'Acme Studio',
  handle: 'acme',
  domain: 'go.acme.example',
  timezone: 'Europe/Berlin',
  language: null,
  colour: '#b3261e',
  credit: false,
  contact: 'hello@acme.example',
  formId: 'contact1',
  formName: 'Contact',
  fields: [
    { name: 'name', value: 'Ada Lovelace' },
    { name: 'email', value: 'ada@visitor.example' },
    { name: 'companySize', value: '11 to 50' },
    { name: 'message', value: 'Good morning,\n\nwe would like a quote.' },
  ],
  message: 'Good morning,\n\nwe would like a quote.',
  replyTo: 'ada@visitor.example',
  receivedAt: Date.UTC(2026, 10, 22, 8, 15),
  submissionId: '019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90',
  duplicate: false,
  isBackfilled: false,
  link: 'https://console.agency.example/a/acme/s/019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90',
  record: aRecord(),
  ...changes,
})

/** As many leads as that, each with an id and a visitor of its own. */
export const leads = (count: number, changes: Partial<Lead> = {}): Lead[] =>
  Array.from({ length: count }, (_, index) =>
    aLead({
      submissionId: `019408c2-5a8e-7c34-9d0a-${String(index).padStart(12, '0')}`,
      fields: [{ name: 'name', value: `Visitor ${index}` }],
      message: null,
      ...changes,
    }),
  )

export const aMailDestination = (changes: Partial<MailDestination> = {}): MailDestination => ({
  kind: 'mail',
  name: 'sales',
  to: ['sales@acme.example', 'team@acme.example'],
  forms: null,
  when: null,
  confirmed: false,
  ...changes,
})
