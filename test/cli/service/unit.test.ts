import { expect, test } from 'bun:test'
import { unitText } from '../../../src/cli/service/unit.ts'

test('the service may ask the kernel for its own addresses, before each order of a certificate', () => {
  const unit = unitText({ executable: '/usr/local/bin/capture', user: 'capture' })
  expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
})
