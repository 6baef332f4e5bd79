import { describe, expect, test } from 'bun:test'
import type { ChallengeAnswers } from '../../../src/https/acme/authority.ts'
import { persistRecordValue } from '../../../src/https/acme/persist-record.ts'
import { acmeWorld, newAccountAt, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'
import { altered, tamperedWorld, tamperingAt } from './tampered-world.ts'

const host = 'shop.some-customer.com'

describe('dns-persist-01', () => {
  const record = `_validation-persist.${host}`
  /** A host that nobody reaches, and records as a resolver has them. */
  const answersWith = (records: string[], names: string[] = []): ChallengeAnswers => ({
    http01: null,
    txtRecords: async (name) => {
      names.push(name)
      return records
    },
  })

  test('issues where the record is there, without port 80', async () => {
    await using world = await acmeWorld({ caaIdentities: ['ca.test'] })
    const account = await world.account()
    const value = persistRecordValue('ca.test', account.url)
    await world.ca.dns.setTxt(record, value)
    const names: string[] = []
    const pair = await account.order(orderFor(world, host, { answers: answersWith(['v=spf1 -all', value], names) }))
    expect(pair.certificate).toContain('BEGIN CERTIFICATE')
    expect(names).toEqual([record])
    expect(world.asked).toEqual([])
  })

  test('is not tried with a record for another account, where HTTP-01 can be answered', async () => {
    await using world = await acmeWorld({ hosts: [host], caaIdentities: ['ca.test'] })
    const answers = {
      ...world.answers,
      txtRecords: async () => ['ca.test; accounturi=https://ca.test/other'],
    }
    const pair = await (await world.account()).order(orderFor(world, host, { answers }))
    expect(pair.certificate).toContain('BEGIN CERTIFICATE')
    expect(world.asked).not.toEqual([])
  })

  test('takes the record for the account that the challenge names', async () => {
    const accounturi = 'https://ca.test/other-spelling'
    await using world = await tamperedWorld(
      tamperingAt('/authZ/', (passing) =>
        altered(passing, ({ challenges, ...rest }) => ({
          ...rest,
          challenges: (challenges as object[]).map((challenge) => ({ ...challenge, accounturi })),
        })),
      ),
      { caaIdentities: ['ca.test'] },
    )
    const account = await newAccountAt(world.authority)
    const kindWith = async (accountUrl: string) => {
      const answers = answersWith([persistRecordValue('ca.test', accountUrl)])
      return (await problemIn(account.order(orderFor(world, host, { answers })))).kind
    }
    // pebble sees no record: that it looked is what counts.
    expect([await kindWith(account.url), await kindWith(accounturi)]).toEqual(['noChallenge', 'rejected'])
  })

  test('is rejected with the reason where the authority does not see the record', async () => {
    await using world = await acmeWorld({ caaIdentities: ['ca.test'] })
    const account = await world.account()
    const answers = answersWith([persistRecordValue('ca.test', account.url)])
    const problem = await problemIn(account.order(orderFor(world, host, { answers })))
    expect(problem.kind).toBe('rejected')
    expect(problem.detail).toContain('TXT')
  })
})
