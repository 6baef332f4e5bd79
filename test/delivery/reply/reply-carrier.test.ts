import { describe, expect, test } from 'bun:test'

import type { LoadedParcel } from '../../../src/delivery/carrier.ts'
import type { MailServer } from '../../../src/delivery/mail/mail-server.ts'
import type { DeliveryKey, DestinationKey } from '../../../src/delivery/outbox.ts'
import { replyCarrier } from '../../../src/delivery/reply/reply-carrier.ts'
import { replyAgeMsMax } from '../../../src/delivery/reply/reply-rules.ts'
import { signingKeys } from '../../account/sample-signing-keys.ts'
import { ownPort } from '../../harness/loopback.ts'
import { TestMailServer } from '../../harness/mail-server.ts'
import { scriptedMailServer } from '../../harness/scripted-mail-server.ts'
import { aLead } from '../a-lead.ts'
import { aServer } from '../mail/a-mail.ts'

const key = signingKeys().current('reply')
const lead = aLead()

const parcel = (changes: Parameters<typeof aLead>[0] = {}): LoadedParcel => ({
  key: 1 as DestinationKey,
  accountId: 'acme',
  destination: {
    kind: 'reply',
    name: 'reply:contact1',
    formId: 'contact1',
    mail: { subject: 'Thanks', text: 'Yes.' },
    confirmed: false,
  },
  secrets: [],
  further: 0,
  mailFrom: null,
  leads: [aLead(changes)],
  report: null,
  deliveries: [
    {
      key: 1 as DeliveryKey,
      id: 'd1',
      submissionId: lead.submissionId,
      formId: lead.formId,
      period: null,
      createdAt: lead.receivedAt,
      scheduleStep: 0,
      nextAt: lead.receivedAt,
      body: null,
      isBackfilled: false,
    },
  ],
})

interface Circumstances {
  now?: number
  optedOut?: readonly string[]
}

function attempt(
  mailServer: MailServer | null,
  { now = lead.receivedAt, optedOut = [] }: Circumstances,
  of = parcel(),
) {
  const consent = { key: () => key, isOptedOut: (_account: string, email: string) => optedOut.includes(email) }
  const parts = { mailServer, consent, baseOf: (host: string) => `https://${host}`, clock: { now: () => now } }
  return replyCarrier(parts).attempt(of, null)
}

test('a reply is sent, with an address to unsubscribe at the account’s own domain', async () => {
  await using server = await TestMailServer.start()
  expect(await attempt(aServer({ port: server.port }), {})).toMatchObject({ outcome: 'delivered', isLast: false })
  const [received] = server.received
  expect(received?.to).toEqual(['ada@visitor.example'])
  expect(received?.raw).toContain('https://go.acme.example/_svc/u/1.')
})

describe('nothing is sent, and never again,', () => {
  test.each<[string, Circumstances, Parameters<typeof aLead>[0], string]>([
    ['too late', { now: lead.receivedAt + replyAgeMsMax + 1 }, {}, 'more than 15 minutes ago'],
    ['to a visitor who wants no more', { optedOut: ['ada@visitor.example'] }, {}, 'declined further mails'],
    ['to the box itself', {}, { replyTo: 'leads@agency.example' }, 'this box’s own address'],
  ])('%s', async (_, circumstances, changes, words) => {
    await using server = await TestMailServer.start()
    const result = await attempt(aServer({ port: server.port }), circumstances, parcel(changes))
    expect([result.outcome, result.isLast]).toEqual(['failed', true])
    expect(result.error).toContain(words)
    expect(server.received).toEqual([])
  })
})

describe('a try is the last one', () => {
  test('where the visitor may have the mail: the server was gone before it said', async () => {
    await using server = await scriptedMailServer((line) => (line === '.' ? 'end' : null))
    expect(await attempt(aServer({ port: server.port }), {})).toMatchObject({ outcome: 'failed', isLast: true })
  })

  test('where the server refuses the address for good', async () => {
    await using server = await TestMailServer.start({ refuse: () => 550 })
    expect(await attempt(aServer({ port: server.port }), {})).toMatchObject({ outcome: 'failed', isLast: true })
  })

  test('but not where the server puts it off, or is away', async () => {
    await using server = await TestMailServer.start({ refuse: () => 451 })
    expect(await attempt(aServer({ port: server.port }), {})).toMatchObject({ outcome: 'failed', isLast: false })
    expect(await attempt(aServer({ port: ownPort() }), {})).toMatchObject({ outcome: 'failed', isLast: false })
  })
})
