import { expect, test } from 'bun:test'
import { accountsNamedMax, RefusalSums } from '../../src/capture/refusal-sums.ts'

const refuse = (sums: RefusalSums, accountId: string, check = 'origin') =>
  sums.add(accountId, `${accountId} form ${check}`)

test('refusals add up by account, endpoint and check', () => {
  const sums = new RefusalSums()
  refuse(sums, 'a')
  refuse(sums, 'a')
  refuse(sums, 'a', 'size')
  refuse(sums, 'b')
  expect(sums.read()).toEqual([
    { accountId: 'a', endpoint: 'form', check: 'origin', count: 2 },
    { accountId: 'a', endpoint: 'form', check: 'size', count: 1 },
    { accountId: 'b', endpoint: 'form', check: 'origin', count: 1 },
  ])
})

test('accounts beyond the limit share one sum, and those before it keep theirs', () => {
  const sums = new RefusalSums()
  for (let account = 0; account < accountsNamedMax; account++) refuse(sums, `account-${account}`)
  refuse(sums, 'late')
  refuse(sums, 'later')
  refuse(sums, 'account-0', 'size')
  const read = sums.read()
  expect(read.filter(({ accountId }) => accountId === null)).toEqual([
    { accountId: null, endpoint: 'form', check: 'origin', count: 2 },
  ])
  expect(read.some(({ accountId, check }) => accountId === 'account-0' && check === 'size')).toBe(true)
  expect(new Set(read.map(({ accountId }) => accountId)).size).toBe(accountsNamedMax + 1)
})
