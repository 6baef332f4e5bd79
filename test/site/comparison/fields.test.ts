import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountSettings } from '../../../src/account/account.ts'
import { writtenDestination, writtenForm, writtenSettings } from '../../../src/site/comparison/as-written.ts'
import { changedFields } from '../../../src/site/comparison/fields.ts'

const word = fc.string({ minLength: 1, maxLength: 6 })
const words = fc.uniqueArray(word, { maxLength: 4 })
const perhaps = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const days = fc.integer({ min: 1, max: 3 })

const anySettings: fc.Arbitrary<AccountSettings> = fc.record({
  name: word,
  domains: words,
  origins: words,
  robots: perhaps(word),
  home: perhaps(word),
  contact: perhaps(word),
  mailFrom: perhaps(fc.record({ name: perhaps(word), address: fc.constantFrom('a@b.example', 'c@d.example') })),
  brand: fc.record({ colour: perhaps(word), background: perhaps(word), credit: fc.boolean() }),
  payloadBytesMax: days,
  timezone: word,
  noLeadsForHours: perhaps(days),
  language: perhaps(fc.constantFrom('de', 'pl')),
  storeIp: fc.constantFrom('full', 'truncated', 'none'),
  ignore: fc.array(fc.string(), { maxLength: 2 }),
  tracking: fc.record({
    enabled: fc.boolean(),
    autoPageview: fc.boolean(),
    requireOptIn: fc.boolean(),
    consentSignal: word,
  }),
  botCheck: fc.record({
    provider: fc.constantFrom('altcha', 'turnstile'),
    sitekey: fc.string({ maxLength: 2 }),
    secret: fc.string({ maxLength: 2 }),
    required: fc.boolean(),
    verifyUrl: perhaps(word),
    difficulty: fc.constantFrom('low', 'high'),
  }),
  retention: fc.record({ submissionsDays: perhaps(days), eventsDays: perhaps(days), refusedDays: days }),
  goals: fc.constant([]),
  funnels: fc.constant([]),
  splits: fc.constant([]),
  redirects: fc.constant([]),
})

/** Every key of `site.toml` that is generated here, and its value. */
const keys: Readonly<Record<string, (settings: AccountSettings) => unknown>> = {
  name: ({ name }) => name,
  domains: ({ domains }) => domains,
  origins: ({ origins }) => origins,
  robots: ({ robots }) => robots,
  home: ({ home }) => home,
  contact: ({ contact }) => contact,
  mail_from: ({ mailFrom }) => mailFrom,
  'brand.colour': ({ brand }) => brand.colour,
  'brand.background': ({ brand }) => brand.background,
  'brand.credit': ({ brand }) => brand.credit,
  payload_limit: ({ payloadBytesMax }) => payloadBytesMax,
  timezone: ({ timezone }) => timezone,
  no_leads_for: ({ noLeadsForHours }) => noLeadsForHours,
  language: ({ language }) => language,
  store_ip: ({ storeIp }) => storeIp,
  ignore: ({ ignore }) => ignore,
  'tracking.enabled': ({ tracking }) => tracking.enabled,
  'tracking.auto_pageview': ({ tracking }) => tracking.autoPageview,
  'tracking.require_opt_in': ({ tracking }) => tracking.requireOptIn,
  'tracking.consent_signal': ({ tracking }) => tracking.consentSignal,
  'bot_check.provider': ({ botCheck }) => botCheck.provider,
  'bot_check.sitekey': ({ botCheck }) => botCheck.sitekey,
  'bot_check.secret': ({ botCheck }) => botCheck.secret,
  'bot_check.required': ({ botCheck }) => botCheck.required,
  'bot_check.verify_url': ({ botCheck }) => botCheck.verifyUrl,
  'bot_check.difficulty': ({ botCheck }) => botCheck.difficulty,
  'retention.submissions': ({ retention }) => retention.submissionsDays,
  'retention.events': ({ retention }) => retention.eventsDays,
  'retention.refused': ({ retention }) => retention.refusedDays,
}

const fieldsOf = (before: AccountSettings, after: AccountSettings) =>
  changedFields(writtenSettings(before), writtenSettings(after), ['bot_check.secret'])

describe('the fields of a change', () => {
  test('name each key that differs exactly once, and no other', () => {
    fc.assert(
      fc.property(anySettings, anySettings, (before, after) => {
        const differing = Object.entries(keys).filter(([, of]) => !Bun.deepEquals(of(before), of(after)))
        const named = fieldsOf(before, after).map(({ field }) => field)
        expect(named.toSorted()).toEqual(differing.map(([key]) => key).toSorted())
      }),
    )
  })

  test('are none where nothing differs', () => {
    fc.assert(fc.property(anySettings, (settings) => expect(fieldsOf(settings, structuredClone(settings))).toEqual([])))
  })

  test('have values that differ, and show no secret', () => {
    fc.assert(
      fc.property(anySettings, anySettings, (before, after) => {
        for (const { field, before: was, after: is } of fieldsOf(before, after)) {
          expect(was).not.toBe(is)
          if (field === 'bot_check.secret')
            expect([was ?? '(secret)', is ?? '(changed)']).toEqual(['(secret)', '(changed)'])
        }
      }),
    )
  })
})

const lines = (before: object, after: object, secrets: string[] = []): string[] =>
  changedFields(before, after, secrets).map(({ field, before, after }) => `${field}: ${before} → ${after}`)

describe('a list', () => {
  test('shows what is removed and what is added', () => {
    expect(lines({ domains: ['a', 'b', 'c'] }, { domains: ['a', 'c', 'd', 'e'] })).toEqual(['domains: b → d, e'])
  })

  test('shows all of it where the order changes', () => {
    expect(lines({ domains: ['a', 'b'] }, { domains: ['b', 'a'] })).toEqual(['domains: a, b → b, a'])
  })

  test('shows all of it where an item is repeated', () => {
    expect(lines({ required: ['a', 'a'] }, { required: ['a'] })).toEqual(['required: a, a → a'])
  })

  test('of goals, funnels, splits and redirects goes by what tells their entries apart', () => {
    const before = {
      goals: [
        { name: 'Lead', form: 'contact1' },
        { name: 'Old', page: '/old' },
      ],
      redirects: [{ from: '/a', to: '/b', status: 302 }],
      splits: [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 50 }] }],
    }
    const after = {
      goals: [
        { name: 'Lead', event: 'sent' },
        { name: 'Signed up', page: '/thanks' },
      ],
      redirects: [{ from: '/a', to: '/b', status: 301 }],
      splits: [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 20 }] }],
    }
    expect(lines(before, after)).toEqual([
      'goals.Lead.form: contact1 → null',
      'goals.Lead.event: null → sent',
      'goals.Old: page = /old → null',
      'goals."Signed up": null → page = /thanks',
      'redirects./a.status: 302 → 301',
      'splits.launch.variants.b.share: 50 → 20',
    ])
  })

  test('of goals names a new order, which reports show', () => {
    const [lead, sale] = [
      { name: '10', form: 'a' },
      { name: '9', form: 'b' },
    ]
    expect(lines({ goals: [lead, sale] }, { goals: [sale, lead] })).toEqual(['goals: 10, 9 → 9, 10'])
  })
})

describe('a value', () => {
  test('tells the number 5 from the text "5"', () => {
    expect(lines({ default: 5 }, { default: '5' })).toEqual(['default: 5 → "5"'])
  })

  test('keeps the digits of a number', () => {
    expect(lines({ maximum: 1 }, { maximum: JSON.rawJSON('1.000') })).toEqual(['maximum: 1 → 1.000'])
  })

  test('under the name of a prototype’s is one like any other', () => {
    const properties = JSON.parse('{"constructor": {"type": "string"}, "__proto__": {"type": "string"}, "a.b": {}}')
    expect(lines({ properties: {} }, { properties })).toEqual([
      'properties.constructor: null → type = string',
      'properties.__proto__: null → type = string',
      'properties."a.b": null → {}',
    ])
  })

  test('has at most 2,000 characters, and a change at most 200 fields and a count of the others', () => {
    const table = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`key${index}`, 'x'.repeat(3000)]))
    const fields = changedFields({}, table)
    expect(fields[0]?.after).toBe(`${'x'.repeat(2000)}…`)
    expect([fields.length, fields.at(-1)]).toEqual([201, { field: '…', before: null, after: '50 more keys' }])
  })

  test('of several lines has a diff', () => {
    const [text, other] = ['Hello,\nthanks.\n', 'Hello,\nthank you.\n']
    expect(changedFields({ text }, { text: other })).toEqual([
      { field: 'text', before: text, after: other, diff: '@@ -1,2 +1,2 @@\n Hello,\n-thanks.\n+thank you.' },
    ])
  })
})

describe('a form and a delivery', () => {
  const form = {
    id: 'contact1',
    name: 'Contact',
    registered: true,
    honeypot: '_hp',
    botCheck: 'inherit' as const,
    consentTextId: null,
    redirectUrl: null,
    schema: { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } },
    confirm: null,
    reply: null,
    files: {},
  }

  test('are compared key by key, a schema field by field', () => {
    const after = {
      ...form,
      botCheck: 'on' as const,
      schema: { type: 'object', required: ['email', 'phone'], properties: { email: { type: 'number' } } },
    }
    expect(lines(writtenForm({ ...form, version: 3 }), writtenForm(after))).toEqual([
      'bot_check: inherit → on',
      'schema.required: null → phone',
      'schema.properties.email.type: string → number',
      'schema.properties.email.format: email → null',
    ])
  })

  const every = { forms: null, when: null, confirmed: false }
  const mail = { kind: 'mail' as const, name: 'sales', to: ['a@acme.example'], ...every }

  test('tell a delivery of every form from one of a few', () => {
    expect(lines(writtenDestination(mail), writtenDestination({ ...mail, forms: ['contact1'] }))).toEqual([
      'forms: every form → contact1',
    ])
  })

  test('say which answers a delivery gets', () => {
    const kitchens = { ...mail, when: { field: 'interest', is: ['kitchen'], isNot: null } }
    const others = { ...mail, when: { field: 'interest', is: null, isNot: ['kitchen'] } }
    expect(lines(writtenDestination(mail), writtenDestination(kitchens))).toEqual([
      'when: null → field = interest, is = [kitchen]',
    ])
    expect(lines(writtenDestination(kitchens), writtenDestination(others))).toEqual([
      'when.is: kitchen → null',
      'when.is_not: null → kitchen',
    ])
  })
})
