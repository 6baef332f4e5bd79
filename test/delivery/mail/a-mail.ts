import type { Mail } from '../../../src/delivery/mail/mail.ts'
import type { MailServer } from '../../../src/delivery/mail/mail-server.ts'

export const aMail = (changes: Partial<Mail> = {}): Mail => ({
  from: { name: 'Acme Studio', address: 'leads@agency.example' },
  to: [{ name: null, address: 'sales@acme.example' }],
  replyTo: { name: null, address: 'ada@visitor.example' },
  subject: 'Contact: a question',
  text: 'A question.',
  html: '<p>A question.</p>',
  messageId: '<01890000-0000-7000-8000-000000000001.sales@agency.example>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  attachments: [],
  ...changes,
})

export const aServer = (changes: Partial<MailServer> = {}): MailServer => ({
  host: '127.0.0.1',
  port: 25,
  security: 'none',
  login: null,
  from: { name: null, address: 'leads@agency.example' },
  senders: [],
  ca: null,
  ...changes,
})
