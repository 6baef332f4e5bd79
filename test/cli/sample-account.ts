import type { StoredAccount } from '../../src/account/account.ts'
import type { Form } from '../../src/account/form.ts'

const contactForm: Form = {
  id: 'contact1',
  version: 3,
  name: 'Contact',
  registered: true,
  honeypot: '_hp',
  botCheck: 'inherit',
  consentTextId: null,
  redirectUrl: null,
  schema: { type: 'object', properties: { email: {}, message: {} } },
  confirm: null,
  reply: null,
  files: {},
}

export const account = (overrides: Partial<StoredAccount> = {}): StoredAccount => ({
  id: 'account-a',
  handle: 'acme',
  forms: [contactForm],
  destinations: [],
  trackingKeys: [],
  settings: {
    name: 'Acme Studio',
    domains: ['go.acme.example'],
    origins: [],
    robots: null,
    home: null,
    contact: null,
    mailFrom: null,
    noLeadsForHours: null,
    brand: { colour: null, background: null, credit: false },
    payloadBytesMax: 8192,
    timezone: 'UTC',
    language: null,
    storeIp: 'full',
    ignore: [],
    goals: [],
    funnels: [],
    splits: [],
    redirects: [],
    tracking: { enabled: true, autoPageview: true, requireOptIn: true, consentSignal: 'svcConsent' },
    botCheck: { provider: 'altcha', sitekey: '', secret: '', required: false, verifyUrl: null, difficulty: 'normal' },
    retention: { submissionsDays: null, eventsDays: null, refusedDays: 30 },
  },
  ...overrides,
})
