import { describe, expect, test } from 'bun:test'
import type { ChallengeAnswers } from '../../../src/https/acme/authority.ts'
import { acmeWorld, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'

const host = 'shop.some-customer.com'
const urn = (name: string) => `urn:ietf:params:acme:error:${name}`

const showing = (text: string): ChallengeAnswers => ({
  txtRecords: null,
  http01: async () => ({ [Symbol.asyncDispose]: async () => void text }),
})

describe('an order is rejected with what the authority saw', () => {
  test('where the host answers with something else', async () => {
    await using world = await acmeWorld({ hosts: [host] })
    const problem = await problemIn((await world.account()).order(orderFor(world, host, { answers: showing('') })))
    expect(problem).toMatchObject({ kind: 'rejected', type: urn('unauthorized') })
    expect(problem.detail).toContain(`http://${host}:${world.ca.httpPort}/.well-known/acme-challenge/`)
  })

  test('where nothing listens at the host', async () => {
    await using world = await acmeWorld()
    await world.ca.dns.setA(host, '127.255.255.1')
    const problem = await problemIn((await world.account()).order(orderFor(world, host)))
    expect(problem).toMatchObject({ kind: 'rejected', type: urn('connection') })
    expect(problem.detail).toContain('connection refused')
  })

  test('where the host has no address', async () => {
    await using world = await acmeWorld()
    const problem = await problemIn((await world.account()).order(orderFor(world, host)))
    expect(problem.kind).toBe('rejected')
    expect(problem.detail).toContain(host)
  })

  test('where the authority issues nothing for the host', async () => {
    await using world = await acmeWorld({ blockedHosts: [host] })
    const problem = await problemIn((await world.account()).order(orderFor(world, host)))
    expect(problem).toMatchObject({ kind: 'rejected', type: urn('rejectedIdentifier') })
  })
})

test('a rejected order shows nothing any more', async () => {
  await using world = await acmeWorld()
  await world.ca.dns.setA(host, '127.255.255.1')
  await problemIn((await world.account()).order(orderFor(world, host)))
  expect(world.shown()).toBe(0)
})

test('an order after a rejected one succeeds', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const account = await world.account()
  await problemIn(account.order(orderFor(world, host, { answers: showing('') })))
  expect((await account.order(orderFor(world, host))).certificate).toContain('BEGIN CERTIFICATE')
})

test('where no challenge can be answered the order says which are offered', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const answers = { http01: null, txtRecords: null }
  const problem = await problemIn((await world.account()).order(orderFor(world, host, { answers })))
  expect(problem.kind).toBe('noChallenge')
  expect(problem.detail).toContain('http-01')
})

test('where an answer cannot be shown the order ends with the reason', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const answers = { txtRecords: null, http01: () => Promise.reject(new Error('port 80 is closed')) }
  await expect((await world.account()).order(orderFor(world, host, { answers }))).rejects.toThrow('port 80 is closed')
})
