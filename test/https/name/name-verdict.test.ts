import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { DnsAnswer } from '../../../src/https/name/dns-lookup.ts'
import { type Circumstances, nameVerdict } from '../../../src/https/name/name-verdict.ts'
import type { NameSight, Reached } from '../../../src/https/name/observe-name.ts'

const host = 'shop.acme.com'
const [here, elsewhere, here6, elsewhere6] = ['198.51.100.4', '203.0.113.9', '2001:db8::4', '2001:db8::9']
const none: DnsAnswer<string> = { kind: 'no-data', alias: null }
const found = (...records: string[]): DnsAnswer<string> =>
  records.length === 0 ? none : { kind: 'records', records, alias: null }

/** A name with these answers at these addresses. */
function sight(answers: Record<string, Reached['answer']>, overrides: Partial<NameSight> = {}): NameSight {
  const addresses = Object.keys(answers)
  const reached = Object.entries(answers).map(([address, answer]) => ({ address, answer, status: null }))
  const a = found(...addresses.filter((address) => !address.includes(':')))
  const aaaa = found(...addresses.filter((address) => address.includes(':')))
  return { host, a, aaaa, caa: null, persist: [], reached, ...overrides }
}

const told: Circumstances = {
  addresses: [here],
  targets: { a: here, aaaa: null },
  caaIdentities: ['letsencrypt.org'],
  accountUrl: 'https://ca.example/acct/7',
  now: Date.UTC(2026, 10, 22),
}
const untold: Circumstances = { ...told, addresses: [], targets: { a: null, aaaa: null } }

const reason = (seen: NameSight, circumstances = told): string | null => {
  const verdict = nameVerdict(seen, circumstances)
  return verdict.ready ? null : verdict.reason
}

describe('a name is ready', () => {
  test.each<[string, NameSight, Circumstances]>([
    ['when port 80 of its address is ours', sight({ [here]: 'ours' }), untold],
    ['when a proxy in front leads here', sight({ [elsewhere]: 'ours' }), told],
    ['when its address is a known one that cannot be asked from inside', sight({ [here]: 'unknown' }), told],
    ['when its address is a known one that refuses itself', sight({ [here]: 'none' }), told],
    ['when both of its addresses are ours', sight({ [here6]: 'ours', [here]: 'ours' }), untold],
    ['when IPv6 is ours and IPv4 cannot be asked from inside', sight({ [here6]: 'ours', [here]: 'unknown' }), untold],
    [
      'when the known address is written in another form',
      sight({ [here6]: 'unknown' }),
      { ...told, addresses: ['2001:0DB8:0::0004'] },
    ],
  ])('%s', (_, seen, circumstances) => {
    expect(reason(seen, circumstances)).toBeNull()
  })
})

describe('a name waits with a reason when', () => {
  const alias = (answer: DnsAnswer<string>, name: string): DnsAnswer<string> =>
    answer.kind === 'failed' ? answer : { ...answer, alias: name }

  test.each<[string, NameSight, Circumstances, string]>([
    [
      'it is not in the DNS',
      sight({}, { a: { kind: 'no-name', alias: null }, aaaa: { kind: 'no-name', alias: null } }),
      told,
      'shop.acme.com is not in the DNS: add an A record with 198.51.100.4.',
    ],
    [
      'it has no address',
      sight({}),
      untold,
      'shop.acme.com has no address in the DNS: add an A record with the public address of this box.',
    ],
    [
      'it is an alias of nothing',
      sight({}, { a: { kind: 'no-name', alias: 'old.example.net' } }),
      told,
      'shop.acme.com is an alias (CNAME) of old.example.net, which has no address: replace the CNAME record by an A record with 198.51.100.4.',
    ],
    [
      'its DNS servers fail',
      sight({}, { a: { kind: 'failed', code: 'SERVFAIL' } }),
      told,
      'The DNS servers of shop.acme.com fail to answer (SERVFAIL): ask its DNS provider to check the zone and its DNSSEC.',
    ],
    [
      'no DNS server answers',
      sight({}, { a: { kind: 'failed', code: 'timeout' } }),
      told,
      'No DNS server answers queries for shop.acme.com: check the network of this machine, and `[https] resolvers` or `/etc/resolv.conf`.',
    ],
    [
      'it leads elsewhere',
      sight({ [elsewhere]: 'other' }),
      told,
      'shop.acme.com leads to 203.0.113.9, not to this box: set its A record to 198.51.100.4.',
    ],
    [
      'it leads elsewhere over both families',
      sight({ [elsewhere6]: 'none', [elsewhere]: 'unknown' }),
      told,
      'shop.acme.com leads to 2001:db8::9 and 203.0.113.9, not to this box: set its A record to 198.51.100.4 and remove its AAAA record.',
    ],
    [
      'it leads elsewhere by an alias',
      sight({ [elsewhere]: 'other' }, { a: alias(found(elsewhere), 'shops.example.net') }),
      told,
      'shop.acme.com is an alias (CNAME) of shops.example.net, which leads to 203.0.113.9 and not to this box: replace the CNAME record by an A record with 198.51.100.4.',
    ],
    [
      'IPv6 leads elsewhere while IPv4 is right',
      sight({ [elsewhere6]: 'other', [here]: 'ours' }),
      told,
      'shop.acme.com leads here with 198.51.100.4, but 2001:db8::9 leads elsewhere: remove that AAAA record.',
    ],
    [
      'IPv6 leads elsewhere, and the one of this box is known',
      sight({ [elsewhere6]: 'other', [here]: 'ours' }),
      { ...told, addresses: [here, here6], targets: { a: here, aaaa: here6 } },
      'shop.acme.com leads here with 198.51.100.4, but 2001:db8::9 leads elsewhere: remove that AAAA record, or set it to 2001:db8::4.',
    ],
    [
      'IPv6 cannot be asked from here',
      sight({ [elsewhere6]: 'unknown', [here]: 'ours' }),
      untold,
      'shop.acme.com leads here with 198.51.100.4, but 2001:db8::9 does not answer this box: remove that AAAA record, or add the address to `[https] addresses` if it is this box.',
    ],
    [
      'one of two addresses leads elsewhere',
      sight({ [here]: 'ours', [elsewhere]: 'other' }),
      untold,
      'shop.acme.com leads here with 198.51.100.4, but 203.0.113.9 is answered by another server: remove that A record.',
    ],
    [
      "port 80 of this box is somebody else's",
      sight({ [here]: 'other' }),
      told,
      'shop.acme.com leads to 198.51.100.4, where another server answers on port 80: free that port for this box, or have the router forward it here.',
    ],
    [
      'another server answers, and no address is known',
      sight({ [elsewhere]: 'other' }),
      untold,
      'shop.acme.com leads to 203.0.113.9, where another server answers on port 80: set its A record to the public address of this box, or free port 80 if that is this machine.',
    ],
    [
      'nobody answers, and no address is known',
      sight({ [here]: 'none' }),
      untold,
      'shop.acme.com leads to 198.51.100.4, where nothing answers on port 80: open port 80 in the firewall if that is this box, or set its A record to the public address of this box.',
    ],
    [
      'nothing can be told from inside, and no address is known',
      sight({ [here]: 'unknown' }),
      untold,
      'shop.acme.com leads to 198.51.100.4, which does not answer this box on port 80: open port 80 in the firewall, and if this box cannot reach its own public address from inside, add it to `[https] addresses`.',
    ],
  ])('%s', (_, seen, circumstances, expected) => {
    expect(reason(seen, circumstances)).toBe(expected)
  })
})

describe('CAA', () => {
  const issue = (value: string, flags = 0, tag = 'issue') => ({ flags, tag, value })
  const fine = { [here]: 'ours' } as const

  test.each<[string, NameSight['caa'], string | null]>([
    ['that allows the authority is no hindrance', { holder: host, records: [issue('letsencrypt.org')] }, null],
    ['about wildcards alone is no hindrance', { holder: host, records: [issue(';', 0, 'issuewild')] }, null],
    [
      'of the name that allows another',
      { holder: host, records: [issue('digicert.com')] },
      'The CAA records of shop.acme.com let only digicert.com issue certificates: add 0 issue "letsencrypt.org".',
    ],
    [
      'of a parent that allows others',
      { holder: 'acme.com', records: [issue('digicert.com'), issue('sectigo.com')] },
      'The CAA records of acme.com, which apply to shop.acme.com, let only digicert.com and sectigo.com issue certificates: add 0 issue "letsencrypt.org".',
    ],
    [
      'that allows nobody',
      { holder: host, records: [issue(';')] },
      'The CAA records of shop.acme.com let nobody issue certificates: add 0 issue "letsencrypt.org".',
    ],
    [
      'for another account',
      { holder: host, records: [issue('letsencrypt.org; accounturi=https://ca.example/acct/8')] },
      'The CAA records of shop.acme.com restrict letsencrypt.org to another account or another way of validation: add 0 issue "letsencrypt.org".',
    ],
    [
      'that is critical and unknown',
      { holder: host, records: [issue('x', 128, 'tbs')] },
      'shop.acme.com has a critical CAA record that authorities do not know, so they refuse to issue: remove 128 tbs "x".',
    ],
    [
      'that cannot be looked up',
      { failed: 'SERVFAIL', at: 'acme.com' },
      'The CAA records of acme.com cannot be looked up (SERVFAIL), and authorities refuse to issue then: ask its DNS provider to fix that.',
    ],
  ])('%s', (_, caa, expected) => {
    expect(reason(sight(fine, { caa }))).toBe(expected)
  })

  test('is told of in one short sentence, however many records there are and whatever their order', () => {
    const records = Array.from({ length: 500 }, (_, n) => issue(`ca${n}.example`))
    const said = reason(sight(fine, { caa: { holder: host, records } }))
    expect(said).toContain('let only ca0.example and ca1.example and ca10.example and ca100.example and ca101.example')
    expect(said).toContain('and 495 more authorities issue')
    expect(reason(sight(fine, { caa: { holder: host, records: records.toReversed() } }))).toBe(said)
  })

  test('of an authority whose names are not known forbids only where it allows nobody', () => {
    const circumstances = { ...told, caaIdentities: [] }
    expect(reason(sight(fine, { caa: { holder: host, records: [issue('digicert.com')] } }), circumstances)).toBeNull()
    expect(reason(sight(fine, { caa: { holder: host, records: [issue(';')] } }), circumstances)).toContain('nobody')
  })
})

describe('a dns-persist-01 record', () => {
  const persist = ['letsencrypt.org; accounturi=https://ca.example/acct/7']

  test('makes a name ready wherever it leads', () => {
    expect(reason(sight({ [elsewhere]: 'other' }, { persist }))).toBeNull()
  })

  test('of another account does not', () => {
    expect(
      reason(sight({ [elsewhere]: 'other' }, { persist: ['letsencrypt.org; accounturi=https://x/1'] })),
    ).not.toBeNull()
  })

  test('does not help where CAA asks for another way of validation', () => {
    const caa = {
      holder: host,
      records: [{ flags: 0, tag: 'issue', value: 'letsencrypt.org; validationmethods=http-01' }],
    }
    expect(reason(sight({ [here]: 'ours' }, { persist, caa }))).toContain('another way of validation')
  })
})

describe('whatever was seen', () => {
  const answer = fc.constantFrom<Reached['answer']>('ours', 'other', 'none', 'unknown')
  const addressesOf = fc.uniqueArray(fc.constantFrom(here, elsewhere, here6, elsewhere6), { minLength: 1 })
  const seen = addressesOf.chain((addresses) =>
    fc.array(answer, { minLength: addresses.length, maxLength: addresses.length }).map((answers) => ({
      answers: Object.fromEntries(addresses.map((address, index) => [address, answers[index] ?? 'unknown'])),
    })),
  )
  const written = fc.subarray([here, here6])

  test('a name is ready only if some address of it proves to be here or is written down', () => {
    fc.assert(
      fc.property(seen, written, ({ answers }, addresses) => {
        const isReady = reason(sight(answers), { ...told, addresses }) === null
        const isHere = Object.entries(answers).some(
          ([address, said]) => said === 'ours' || (said !== 'other' && addresses.includes(address)),
        )
        if (isReady) expect(isHere).toBe(true)
        if (isReady) expect(Object.values(answers)).not.toContain('other')
      }),
    )
  })

  test('a name whose every address is ours is ready', () => {
    fc.assert(
      fc.property(addressesOf, written, (all, addresses) => {
        const answers = Object.fromEntries(all.map((address) => [address, 'ours' as const]))
        expect(reason(sight(answers), { ...told, addresses })).toBeNull()
      }),
    )
  })

  test('a reason is one sentence that names the host', () => {
    fc.assert(
      fc.property(seen, written, ({ answers }, addresses) => {
        const said = reason(sight(answers), { ...told, addresses })
        if (said !== null) expect(said).toMatch(/^[^\n]*shop\.acme\.com[^\n]*[^.]\.$/)
      }),
    )
  })
})
