import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { acmeWorld, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'

const host = 'shop.some-customer.com'
const urn = (name: string) => `urn:ietf:params:acme:error:${name}`

function daysOf(certificate: string): number {
  const { validFromDate, validToDate } = new X509Certificate(certificate)
  return (validToDate.getTime() - validFromDate.getTime()) / 86_400_000
}

describe('profiles', () => {
  const profiles = { classic: 90 * 86_400, shortlived: 6 * 86_400 }

  test('are listed in what the directory says', async () => {
    await using world = await acmeWorld({ profiles })
    expect((await world.authority.offer()).profiles.toSorted()).toEqual(['classic', 'shortlived'])
  })

  test('decide how long a certificate is good', async () => {
    await using world = await acmeWorld({ hosts: [host], profiles })
    const { certificate } = await (await world.account()).order(orderFor(world, host, { profile: 'shortlived' }))
    expect(daysOf(certificate)).toBeCloseTo(6, 1)
  })

  test('that the authority does not have are refused as such', async () => {
    await using world = await acmeWorld({ hosts: [host], profiles })
    const problem = await problemIn((await world.account()).order(orderFor(world, host, { profile: 'forever' })))
    expect(problem).toMatchObject({ kind: 'invalidProfile', type: urn('invalidProfile') })
    expect(problem.detail).toContain('forever')
  })
})
