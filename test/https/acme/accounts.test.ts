import { describe, expect, test } from 'bun:test'
import { newAccountKey } from '../../../src/https/acme/account-key.ts'
import { acmeWorld, clientOf, newAccountAt, orderFor } from './acme-world.ts'
import { deactivateAccount } from './deactivate-account.ts'
import { problemIn } from './failure.ts'

const host = 'shop.some-customer.com'
const plain = { url: null, contact: '', externalBinding: null }
/** As pebble's own example has it. */
const binding = { kid: 'kid-1', hmac: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
const externalAccounts = { [binding.kid]: binding.hmac }

test('the account of a key is found again by a client that knows its key alone', async () => {
  await using world = await acmeWorld()
  const key = newAccountKey()
  const made = await world.authority.account({ ...plain, key, contact: 'ops@agency.example' })
  const found = await clientOf(world.ca).account({ ...plain, key })
  expect(found.url).toBe(made.url)
})

test('a known account is used as it is, without a question', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const key = newAccountKey()
  const { url } = await world.authority.account({ ...plain, key })
  await world.ca.stop()
  const account = await clientOf(world.ca).account({ ...plain, key, url })
  await world.ca.start({ badNoncePercent: 0 })
  expect(account.url).toBe(url)
})

test('an account that the authority has forgotten is told of, and made anew with the same key', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const key = newAccountKey()
  const before = await world.authority.account({ ...plain, key })
  await world.ca.stop()
  await world.ca.start()
  expect((await problemIn(before.order(orderFor(world, host)))).kind).toBe('accountGone')
  const after = await world.authority.account({ ...plain, key })
  expect((await after.order(orderFor(world, host))).certificate).toContain('BEGIN CERTIFICATE')
})

test('an account that was deactivated is gone, and so is its key', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const key = newAccountKey()
  const account = await world.authority.account({ ...plain, key })
  await deactivateAccount(world.ca, key, account.url)
  expect((await problemIn(account.order(orderFor(world, host)))).kind).toBe('accountGone')
  expect((await problemIn(world.authority.account({ ...plain, key }))).kind).toBe('keyRefused')
})

test('a key of another account than the one named is a bad signature', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const { url } = await world.account()
  const stranger = await world.authority.account({ ...plain, key: newAccountKey(), url })
  expect((await problemIn(stranger.order(orderFor(world, host)))).kind).toBe('badSignature')
})

test('a contact that is no address is refused as such', async () => {
  await using world = await acmeWorld()
  const request = { ...plain, key: newAccountKey(), contact: 'nobody' }
  expect((await problemIn(world.authority.account(request))).kind).toBe('contactRefused')
})

describe('where an external binding is required', () => {
  test('the directory says so, and one without is told what it lacks', async () => {
    await using world = await acmeWorld({ externalAccounts })
    expect((await world.authority.offer()).externalBindingRequired).toBe(true)
    expect((await problemIn(newAccountAt(world.authority))).kind).toBe('externalBindingRequired')
  })

  test('one with a binding gets an account, which is found again without it', async () => {
    await using world = await acmeWorld({ externalAccounts })
    const key = newAccountKey()
    const { url } = await world.authority.account({ ...plain, key, externalBinding: binding })
    expect((await clientOf(world.ca).account({ ...plain, key })).url).toBe(url)
  })

  test('an HMAC key may stand there in base64 with padding', async () => {
    await using world = await acmeWorld({ externalAccounts })
    const hmac = Buffer.from(binding.hmac, 'base64url').toString('base64')
    const externalBinding = { kid: binding.kid, hmac: ` ${hmac}== ` }
    expect((await world.authority.account({ ...plain, key: newAccountKey(), externalBinding })).url).toStartWith(
      'https',
    )
  })

  test.each([
    ['of an unknown kid', { ...binding, kid: 'kid-2' }],
    ['with another HMAC key', { ...binding, hmac: 'AAAA' }],
    ['with an HMAC key that is no base64url', { ...binding, hmac: 'not base64!' }],
    ['with an empty HMAC key', { ...binding, hmac: '' }],
  ])('a binding %s is refused as such', async (_, externalBinding) => {
    await using world = await acmeWorld({ externalAccounts })
    const request = { ...plain, key: newAccountKey(), externalBinding }
    expect((await problemIn(world.authority.account(request))).kind).toBe('externalBindingRefused')
  })
})
