// docs/forms.md, `email`: which sent value becomes the identity of the submission.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SubmissionRecord } from '../../src/report/record.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'

const identities: [email: string, identity: string][] = [
  ['ada@example.test', 'ada@example.test'],
  ['Ada.Lovelace@EXAMPLE.Test', 'ada.lovelace@example.test'],
  [' \t ada@example.test\n', 'ada@example.test'],
  ["a.!#$%&'*+/=?^_`{|}~-z@x-1.test", "a.!#$%&'*+/=?^_`{|}~-z@x-1.test"],
  ['ada@bücher.test', 'ada@xn--bcher-kva.test'],
  ['ada@XN--BCHER-KVA.test', 'ada@xn--bcher-kva.test'],
  ['адa@пример.test', 'адa@xn--e1afmkfd.test'],
  [`${'a'.repeat(64)}@example.test`, `${'a'.repeat(64)}@example.test`],
]

const label = 'd'.repeat(61)
const ofLength = (length: number) => {
  const domain = `${label}.${label}.${label}.test`
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`
}

const none: unknown[] = [
  'ada',
  'ada@',
  '@example.test',
  'ada@example',
  'ada@localhost',
  'ada@@example.test',
  'ada@exa mple.test',
  'ada lovelace@example.test',
  'ada@-example.test',
  'ada@example-.test',
  'ada@.test',
  'ada@example.test.',
  'ada@example..test',
  'ada@[127.0.0.1]',
  '"ada"@example.test',
  'Ada <ada@example.test>',
  'ada@example.test, bob@example.test',
  'mailto:ada@example.test',
  'ada\u0000@example.test',
  'ada@exam\u0007ple.test',
  'a\nb@example.test',
  `${'a'.repeat(65)}@example.test`,
  `${'a'.repeat(60)}\u00ad@${'a'.repeat(60)}\u00ad`,
  '',
  ' ',
  null,
  1,
  true,
  ['ada@example.test'],
  { address: 'ada@example.test' },
]

let box: Box
let bySent: Map<string, SubmissionRecord>

beforeAll(async () => {
  box = await Box.start([aSite()])
  const ids: string[] = []
  const sent = [...identities.map(([email]) => email), ...none, ofLength(254), ofLength(255)]
  for (const email of sent) ids.push(submissionIdOf(await box.send(formRequest({ fields: { email } }))))
  const byId = new Map((await box.submissions()).map((record) => [record.submissionId, record]))
  bySent = new Map(sent.map((email, i) => [JSON.stringify(email), byId.get(ids[i] ?? '') as SubmissionRecord]))
}, boxStartMsMax)

afterAll(() => box.stop())

const recordFor = (email: unknown) => bySent.get(JSON.stringify(email))

describe('is an identity, lower-cased, its domain in punycode:', () => {
  test.each(identities)('%j', (email, identity) => {
    expect(recordFor(email)?.identity).toEqual({ email: identity })
  })
})

describe('is not an identity, but accepted:', () => {
  test.each(none.map((email) => [email]))('%j', (email) => {
    expect(recordFor(email)?.identity).toEqual({ email: null })
  })
})

test('an address has at most 254 characters', () => {
  expect([ofLength(254), ofLength(255)].map((email) => recordFor(email)?.identity.email)).toEqual([ofLength(254), null])
})

test.each([...identities.map(([email]) => [email] as const), ...none.map((email) => [email] as const)])(
  'is stored as sent either way: %j',
  (email) => {
    expect(recordFor(email)?.fields).toEqual({ email: email as string })
  },
)
