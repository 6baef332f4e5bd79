import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { renewalId } from '../../../src/https/acme/renewal-id.ts'
import { eventually } from '../../harness/eventually.ts'
import { selfSigned } from '../../harness/self-signed.ts'
import { type AcmeWorld, acmeWorld, newAccountAt, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'
import { altered, tamperedWorld, tamperingAt } from './tampered-world.ts'

const host = 'shop.some-customer.com'
const hourMs = 3_600_000

async function issued(world: AcmeWorld) {
  const account = await world.account()
  const ordered = async () => (await account.order(orderFor(world, host))).certificate
  let certificate = await ordered()
  while (!isKnownBySerial(certificate)) certificate = await ordered()
  return { account, certificate, replaces: renewalId(certificate) }
}

/** Pebble 2.10.1 does not find a certificate again, to replace it, whose serial has a zero in front in DER: one in 256. */
const isKnownBySerial = (certificate: string): boolean => /^[0-7]/.test(new X509Certificate(certificate).serialNumber)

describe('renewal information', () => {
  test('has a window within the life of the certificate, and when to ask again', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const { certificate } = await issued(world)
    const { startMs = 0, endMs = 0, retryAfterMs } = (await world.authority.renewalInfo(certificate)) ?? {}
    const { validFromDate, validToDate } = new X509Certificate(certificate)
    expect(startMs).toBeGreaterThan(validFromDate.getTime())
    expect(endMs).toBeGreaterThan(startMs)
    expect(endMs).toBeLessThan(validToDate.getTime())
    expect(retryAfterMs).toBe(6 * hourMs)
  })

  test('follows the authority when that changes the window', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const { certificate } = await issued(world)
    const window = { start: '2026-01-02T04:00:00Z', end: '2026-01-03T04:00:00.5Z' }
    await world.ca.setRenewalInfo(certificate, JSON.stringify({ suggestedWindow: window }))
    expect(await world.authority.renewalInfo(certificate)).toMatchObject({
      startMs: Date.parse(window.start),
      endMs: Date.parse(window.end),
    })
  })

  test.each([
    ['no JSON', 'soon'],
    ['no window', '{}'],
    ['a window that ends before it begins', windowed('2026-01-03T04:00:00Z', '2026-01-02T04:00:00Z')],
    ['a window without dates', windowed('tomorrow', '1')],
  ])('that has %s is no information, and says so', async (_, text) => {
    await using world = await acmeWorld({ hosts: [host] })
    const { certificate } = await issued(world)
    await world.ca.setRenewalInfo(certificate, text)
    expect((await problemIn(world.authority.renewalInfo(certificate))).kind).toBe('unintelligible')
  })

  test('is none where the authority does not know the certificate', async () => {
    await using world = await tamperedWorld(
      tamperingAt('/draft-ietf-acme-ari', () => Response.json({}, { status: 404 })),
    )
    expect(await world.authority.renewalInfo(selfSigned.cert)).toBeNull()
    expect(world.passed.map(({ path }) => path)).toContainEqual(
      expect.stringContaining(renewalId(selfSigned.cert) ?? ''),
    )
  })

  test('is none, without a question, where the directory has no place for it', async () => {
    await using world = await tamperedWorld(
      tamperingAt('/dir', (passing) => altered(passing, ({ renewalInfo, ...directory }) => directory)),
    )
    expect((await world.authority.offer()).tellsRenewal).toBe(false)
    expect(await world.authority.renewalInfo(selfSigned.cert)).toBeNull()
    expect(world.passed).toHaveLength(1)
  })

  test('is asked for again after what Retry-After says, from a minute to a day', async () => {
    const waits: unknown[] = []
    for (const wait of ['5', '7200', '9999999']) {
      await using world = await tamperedWorld(
        tamperingAt('/draft-ietf-acme-ari', () => {
          const body = windowed('2026-01-02T04:00:00Z', '2026-01-03T04:00:00Z')
          return new Response(body, { headers: { 'retry-after': wait } })
        }),
      )
      waits.push((await world.authority.renewalInfo(selfSigned.cert))?.retryAfterMs)
    }
    expect(waits).toEqual([60_000, 2 * hourMs, 24 * hourMs])
  })

  test('is none for a certificate that names no issuer', async () => {
    await using world = await acmeWorld()
    expect(await world.authority.renewalInfo('no certificate')).toBeNull()
  })
})

describe('a renewal that says what it replaces', () => {
  test('is recorded by the authority', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const { account, replaces } = await issued(world)
    await account.order(orderFor(world, host, { replaces }))
    const isRecorded = (line: string): boolean => line.includes('is a replacement of')
    await eventually('the authority logs it', async () => world.ca.lines().some(isRecorded))
  })

  test('is issued all the same where the certificate was replaced before', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const { account, replaces } = await issued(world)
    await account.order(orderFor(world, host, { replaces }))
    expect((await account.order(orderFor(world, host, { replaces }))).certificate).toContain('BEGIN CERTIFICATE')
  })

  test('is issued all the same where another account had the certificate', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const { replaces } = await issued(world)
    const other = await newAccountAt(world.authority)
    expect((await other.order(orderFor(world, host, { replaces }))).certificate).toContain('BEGIN CERTIFICATE')
  })

  test('is issued all the same where another authority issued the certificate', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const replaces = renewalId(selfSigned.cert)
    expect(replaces).not.toBeNull()
    const { certificate } = await (await world.account()).order(orderFor(world, host, { replaces }))
    expect(certificate).toContain('BEGIN CERTIFICATE')
  })
})

function windowed(start: string, end: string): string {
  return JSON.stringify({ suggestedWindow: { start, end } })
}
