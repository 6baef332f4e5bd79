import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CaaRecord, caaText, caaVerdict, relevantCaa } from '../../../src/https/name/caa.ts'
import { DnsLookup } from '../../../src/https/name/dns-lookup.ts'
import { type DnsNames, DnsServer } from '../../harness/dns-server.ts'

const accountUrl = 'https://ca.example/acct/7'
const question = { identities: ['letsencrypt.org'], accountUrl, method: 'http-01' }
const record = (value: string, { tag = 'issue', flags = 0 } = {}): CaaRecord => ({ flags, tag, value })
const isAllowed = (...records: CaaRecord[]): boolean => caaVerdict(records, question) === 'allowed'

describe('a CAA record set allows the authority', () => {
  test.each<[string, CaaRecord[]]>([
    ['that it names', [record('letsencrypt.org')]],
    ['in capitals', [record('LetsEncrypt.org')]],
    ['beside others', [record('digicert.com'), record('letsencrypt.org')]],
    ['beside a record that names nobody', [record(';'), record('letsencrypt.org')]],
    ['when it is about wildcards alone', [record('digicert.com', { tag: 'issuewild' })]],
    ['when it says only whom to write to', [record('mailto:a@b.example', { tag: 'iodef', flags: 128 })]],
    ['with an unknown property that is not critical', [record('x', { tag: 'tbs' }), record('letsencrypt.org')]],
    ['for this account', [record(`letsencrypt.org; accounturi=${accountUrl}`)]],
    ['for this way of validation', [record('letsencrypt.org;validationmethods=dns-01,http-01')]],
    ['with parameters that nobody knows', [record('letsencrypt.org; policy=ev')]],
    ['with a semicolon at the end', [record('letsencrypt.org;')]],
  ])('%s', (_, records) => {
    expect(isAllowed(...records)).toBe(true)
  })
})

describe('a CAA record set forbids', () => {
  test.each<[string, CaaRecord[]]>([
    ['when it names another authority', [record('digicert.com')]],
    ['when it names nobody', [record(';')]],
    ['when it is empty', [record('')]],
    ['with a critical property that is unknown', [record('x', { tag: 'tbs', flags: 128 }), record('letsencrypt.org')]],
    ['with the critical bit at the wrong end', [record('x', { tag: 'tbs', flags: 1 })]],
    ['for another account', [record('letsencrypt.org; accounturi=https://ca.example/acct/8')]],
    ['for another way of validation', [record('letsencrypt.org; validationmethods=dns-01')]],
    ['when its parameters are malformed', [record('letsencrypt.org; what is this')]],
    ['for a name that only begins alike', [record('letsencrypt.org.evil.example')]],
  ])('%s', (_, records) => {
    expect(isAllowed(...records)).toBe(false)
  })
})

test('another record never takes away what one allows, unless it is critical and unknown', () => {
  const harmless = fc.record({
    flags: fc.constant(0),
    tag: fc.constantFrom('issue', 'issuewild', 'iodef', 'tbs'),
    value: fc.string({ maxLength: 40 }),
  })
  fc.assert(
    fc.property(fc.array(harmless, { maxLength: 6 }), (records) => {
      expect(isAllowed(...records, record('letsencrypt.org'))).toBe(true)
      expect(isAllowed(...records, record('x', { tag: 'tbs', flags: 128 }))).toBe(false)
    }),
  )
})

test('a record as text is one line of plain characters', () => {
  expect(caaText(record('letsencrypt.org'))).toBe('0 issue "letsencrypt.org"')
  expect(caaText(record('a"b\\\u001b[31m\u202e', { tag: 'tbs', flags: 128 }))).toBe('128 tbs "a\\"b\\\\?[31m?"')
  expect(caaText(record('x'.repeat(60_000)))).toBe(`0 issue "${'x'.repeat(200)}…"`)
})

describe('the record set that holds for a name', () => {
  const relevant = async (names: DnsNames, host: string) => {
    await using server = await DnsServer.with(names)
    const dns = new DnsLookup([{ host: '127.0.0.1', port: server.port }])
    return { found: await relevantCaa(host, dns, AbortSignal.timeout(200_000)), asked: server.asked }
  }
  const issue = [[0, 'issue', 'ca.example']] as [number, string, string][]

  test('is its own', async () => {
    const { found, asked } = await relevant({ 'go.acme.com': { caa: issue }, 'acme.com': { caa: [] } }, 'go.acme.com')
    expect(found).toEqual({ holder: 'go.acme.com', records: [{ flags: 0, tag: 'issue', value: 'ca.example' }] })
    expect(asked).toEqual(['go.acme.com'])
  })

  test("is else its nearest parent's, also where the name is none yet", async () => {
    const { found, asked } = await relevant({ 'acme.com': { caa: issue } }, 'a.go.acme.com')
    expect(found).toMatchObject({ holder: 'acme.com' })
    expect(asked).toEqual(['a.go.acme.com', 'go.acme.com', 'acme.com'])
  })

  test('is found behind an alias', async () => {
    const names = { 'go.acme.com': { cname: 'shops.example.net' }, 'shops.example.net': { caa: issue } }
    expect((await relevant(names, 'go.acme.com')).found).toMatchObject({ holder: 'go.acme.com' })
  })

  test('is none where nobody has any', async () => {
    expect((await relevant({}, 'go.acme.com')).found).toBeNull()
  })

  test('is not known where a server fails on the way', async () => {
    const { found } = await relevant({ 'acme.com': 'failure' }, 'go.acme.com')
    expect(found).toEqual({ failed: 'SERVFAIL', at: 'acme.com' })
  })

  test('is asked for at ten names at most, those next to the root among them', async () => {
    const deep = `${Array.from({ length: 40 }, (_, n) => `l${n}`).join('.')}.acme.com`
    const { asked, found } = await relevant({ 'acme.com': { caa: issue } }, deep)
    expect(asked).toHaveLength(9)
    expect(found).toMatchObject({ holder: 'acme.com' })
  })
})
