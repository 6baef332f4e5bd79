import { expect, test } from 'bun:test'
import { signInBudgets, wrongTokenBudget } from '../../src/console/access/attempts.ts'

const stranger = { email: 'ada@agency.example', browserId: null, isByRecoveryCode: false }
const ofAddress = (address: string) => signInBudgets({ ...stranger, address })[0]?.key

test('a network of IPv6 addresses has the tries of one address', () => {
  expect(ofAddress('2001:db8:1:2::9')).toBe(ofAddress('2001:db8:1:2:ffff::1') ?? '')
  expect(wrongTokenBudget('2001:db8:1:2::9').key).toBe(wrongTokenBudget('2001:db8:1:2:ffff::1').key)
  expect(ofAddress('2001:db8:1:3::9')).not.toBe(ofAddress('2001:db8:1:2::9') ?? '')
})
