import { beforeAll, describe, expect, test } from 'bun:test'
import { testFigures } from './figure-tests.ts'
import { trueSites } from './month/true-site.ts'
import { month, type TrueAccount } from './month.ts'
import { testRecords } from './record-tests.ts'

// A month of three accounts whose true figures are known, since whoever acted wrote down what they did: by requests to a
// running service whose clock the test holds. What the real program reports and exports afterwards is compared with it.

const monthMsMax = 900_000

let accounts: Map<string, TrueAccount> = new Map()
beforeAll(async () => {
  accounts = await month()
}, monthMsMax)

describe.each(trueSites)('$account, whose days are those of $timezone:', ({ account }) => {
  const known = (): TrueAccount => {
    const found = accounts.get(account)
    if (found === undefined) throw new Error('the month did not pass')
    return found
  }
  testFigures(known)
  testRecords(known)

  test('the ledger, fed to an empty box, gives the same exports and report byte for byte', () => {
    const { printed, printedByReplay, submissions } = known()
    expect(submissions.length).toBeGreaterThan(0)
    expect(printedByReplay).toEqual(printed)
  })

  test('a follower that leads now gives the same exports and report byte for byte', () => {
    const { printed, printedByFollower } = known()
    expect(printedByFollower).toEqual(printed)
  })
})

test('nothing of one account stands in an export of another, though the same people visit all three', () => {
  const all = [...accounts.values()]
  const ids = all.map((account) => new Set(idsOf(account)))
  expect(ids.map(({ size }) => size > 0)).toEqual([true, true, true])
  expect(new Set(ids.flatMap((of) => [...of])).size).toBe(ids.reduce((sum, { size }) => sum + size, 0))
  const addresses = all.map(({ persons }) => new Set(persons.map(({ email }) => email)))
  expect(addresses.reduce((common, of) => common.intersection(of)).size).toBeGreaterThan(0)
})

const idsOf = ({ submissions, events, persons }: TrueAccount): string[] => [
  ...submissions.map(({ submissionId }) => submissionId),
  ...persons.flatMap(({ personId, deviceIds }) => [personId, ...deviceIds]),
  ...events.map(({ deviceId }) => deviceId),
]
