import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type AnsweredSubmission,
  answerableAddress,
  isRoleAddress,
  isWithinReplyLimits,
  replyAgeMsMax,
} from '../../../src/delivery/reply/reply-rules.ts'
import type { Submission } from '../../../src/ledger/entry.ts'

const verified = { required: true, provider: 'altcha', verified: true }

const aSubmission = (changes: Partial<Submission> = {}): Submission => ({
  kind: 'submission',
  id: '019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90',
  accountId: 'acme',
  receivedAt: 0,
  test: false,
  source: { ip: null, userAgent: null, origin: null, referer: null, host: 'go.acme.example' },
  formId: 'contact1',
  formVersion: 1,
  status: 'accepted',
  refusedFor: null,
  email: 'ada@visitor.example',
  deviceId: null,
  consentTextId: null,
  honeypot: null,
  botCheck: verified,
  fields: {},
  ...changes,
})

const refused: Partial<Submission> = { status: 'refused', refusedFor: 'honeypot' }

describe('a submission may be answered', () => {
  test('at the address of a person who passed a required bot check', () => {
    expect(answerableAddress(aSubmission(), false)).toBe('ada@visitor.example')
  })

  test('where somebody vouches for it, whatever the bot check said, and never at a role’s address', () => {
    const released = aSubmission({ ...refused, botCheck: { ...verified, verified: false } })
    expect(answerableAddress(released, true)).toBe('ada@visitor.example')
    expect(answerableAddress({ ...released, email: 'postmaster@visitor.example' }, true)).toBeNull()
  })

  test.each<[string, Partial<Submission>]>([
    ['one whose form requires no bot check', { botCheck: { ...verified, required: false } }],
    ['one that did not pass it', { botCheck: { ...verified, verified: false } }],
    ['one that was refused, even if it is released', refused],
    ['one of the test page', { test: true }],
    ['one without an address', { email: null }],
    ['one with an address that not every mail server can write to', { email: 'jürgen@visitor.example' }],
    ['one with a role’s address', { email: 'postmaster@visitor.example' }],
  ])('but not %s', (_, changes) => {
    expect(answerableAddress(aSubmission(changes), false)).toBeNull()
  })
})

describe('a role', () => {
  test.each([
    'postmaster',
    'abuse',
    'mailer-daemon',
    'mailerdaemon',
    'no-reply',
    'noreply',
    'no_reply',
    'no.reply',
    'noreply+orders',
    'do-not-reply',
    'donotreply',
    'do_not_reply',
    'bounce',
    'bounces',
    'bounce-12345',
    'bounces+ada=visitor.example',
    'team-request',
    'team-owner',
    'owner-team',
    'team-bounces',
    'listserv',
    'majordomo',
    'orders-noreply',
    'orders-no-reply',
    'auto-reply',
    'nobody',
    'root',
    'unsubscribe',
  ])('is %s', (local) => {
    expect(isRoleAddress(`${local}@visitor.example`)).toBe(true)
  })

  test.each([
    'ada',
    'ada.lovelace',
    'info',
    'sales',
    'contact',
    'norbert',
    'donna',
    'rooty',
    'bounceback.bob',
    'noor',
    'abuser',
  ])('is not %s', (local) => {
    expect(isRoleAddress(`${local}@visitor.example`)).toBe(false)
  })
})

describe('limits', () => {
  const hourMs = 3_600_000
  const dayMs = 24 * hourMs
  const next: AnsweredSubmission = { form: 'f1', account: 'acme', address: 'ada', at: 0 }
  const times = (count: number, of: (index: number) => Partial<AnsweredSubmission>) =>
    Array.from({ length: count }, (_, index) => ({ ...next, ...of(index) }))

  test('let a form answer an address once in a day', () => {
    expect(isWithinReplyLimits(next, [{ ...next, at: -dayMs }])).toBe(false)
    expect(isWithinReplyLimits(next, [{ ...next, at: -dayMs - replyAgeMsMax }])).toBe(true)
    expect(isWithinReplyLimits(next, [{ ...next, form: 'f2' }])).toBe(true)
    expect(isWithinReplyLimits(next, [{ ...next, address: 'bob' }])).toBe(true)
  })

  test('let the box answer an address three times in a day', () => {
    const others = (count: number) => times(count, (index) => ({ form: `g${index}`, at: -hourMs }))
    expect(isWithinReplyLimits(next, others(2))).toBe(true)
    expect(isWithinReplyLimits(next, others(3))).toBe(false)
  })

  test('let a form answer thirty times in an hour', () => {
    const others = (count: number, at: number) => times(count, (index) => ({ address: `a${index}`, at }))
    expect(isWithinReplyLimits(next, others(29, -hourMs))).toBe(true)
    expect(isWithinReplyLimits(next, others(30, -hourMs))).toBe(false)
    expect(isWithinReplyLimits(next, others(30, -hourMs - replyAgeMsMax))).toBe(true)
  })

  test('let all forms of an account answer a hundred times in an hour', () => {
    const others = (count: number, at: number) =>
      times(count, (index) => ({ form: `g${index}`, address: `a${index}`, at }))
    expect(isWithinReplyLimits(next, others(99, -hourMs))).toBe(true)
    expect(isWithinReplyLimits(next, others(100, -hourMs))).toBe(false)
    expect(isWithinReplyLimits(next, others(100, -hourMs - replyAgeMsMax))).toBe(true)
    expect(isWithinReplyLimits({ ...next, account: 'other' }, others(100, -hourMs))).toBe(true)
  })

  test('hold in every window, whatever comes when, and however late each reply is sent', () => {
    const arrival = fc.record({
      form: fc.constantFrom('f1', 'f2', 'f3', 'f4'),
      account: fc.constant('acme'),
      address: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      at: fc.integer({ min: 0, max: 3 * dayMs }),
      lateMs: fc.integer({ min: 0, max: replyAgeMsMax }),
    })
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 120 }), (arrivals) => {
        const sent: (AnsweredSubmission & { sentAt: number })[] = []
        for (const { lateMs, ...one } of arrivals)
          if (isWithinReplyLimits(one, sent)) sent.push({ ...one, sentAt: one.at + lateMs })
        for (const { sentAt, form, address } of sent) {
          const within = (ms: number) => sent.filter((other) => other.sentAt >= sentAt && other.sentAt < sentAt + ms)
          const ofAddress = within(dayMs).filter((other) => other.address === address)
          expect(ofAddress.filter((other) => other.form === form).length).toBeLessThanOrEqual(1)
          expect(ofAddress.length).toBeLessThanOrEqual(3)
          expect(within(hourMs).filter((other) => other.form === form).length).toBeLessThanOrEqual(30)
        }
      }),
      { numRuns: 200 },
    )
  })
})
