// What a person's expired records told of others' submissions goes with the person (docs/privacy.md).
import { expect, test } from 'bun:test'
import type { DeviceKey } from '../../../src/processing/devices.ts'
import { type DeviceBase, outlivesRecord, withoutErased } from '../../../src/processing/refolding/device-base.ts'

const base = (of: Partial<DeviceBase>): DeviceBase => ({
  key: 1 as DeviceKey,
  expiredAt: 30,
  hitAt: null,
  visitAt: null,
  channel: null,
  viewDay: null,
  page: null,
  versions: [],
  erased: [],
  ...of,
})
const page = { at: 15, slug: 'spring', sha256: 'aa' }

test('what others told stays once their records have expired, and nothing of a time in which the device was the person’s', () => {
  const stays = (at: number | null) => outlivesRecord(base({ erased: [{ from: 10, until: 20 }] }), at)
  expect([9, 10, 19, 20, 30, 31, null].map(stays)).toEqual([true, false, false, true, true, false, false])
})

test('the page served last stays the device’s if another viewed it before it expired', () => {
  expect(withoutErased(base({ page })).page).toEqual(page)
  expect(withoutErased(base({ page, expiredAt: 14 })).page).toBeNull()
  expect(withoutErased(base({ page, erased: [{ from: 15, until: 16 }] })).page).toBeNull()
})

test('nothing has expired of a device of which everything that had was the person’s', () => {
  expect(withoutErased(base({ erased: [{ from: 0, until: 31 }] })).expiredAt).toBeNull()
  expect(withoutErased(base({ erased: [{ from: 0, until: 30 }] })).expiredAt).toBe(30)
  expect(withoutErased(base({ erased: [{ from: 1, until: 31 }] })).expiredAt).toBe(30)
})
