import { expect, test } from 'bun:test'
import { examineKernel } from '../../../src/operations/doctor/examine-box.ts'
import { ADataFolder } from '../../cli/a-data-folder.ts'

/** What is said where the kernel has this value; `null`: it has none. */
const found = (value: string | null) => examineKernel({ kernelSetting: async () => value })

test('a kernel that passes waiting handshakes on needs nothing', async () => {
  expect(await found('1')).toMatchObject({ status: 'ok', advice: null })
})

test('for one that does not there is a note, with the line to type', async () => {
  const { status, found: said, advice } = await found('0')
  expect(status).toBe('ok')
  expect(said).toEndWith('that are just being made, since net.ipv4.tcp_migrate_req is 0.')
  expect(advice).toContain(
    "echo 'net.ipv4.tcp_migrate_req = 1' | sudo tee /etc/sysctl.d/60-capture.conf && sudo sysctl -p",
  )
})

test('for one that does not know it there is a note, and nothing to do', async () => {
  expect(await found(null)).toMatchObject({
    status: 'ok',
    advice: null,
    found: expect.stringContaining('does not have'),
  })
})

test.each([
  ['off', 0],
  ['files', 1],
])('doctor looks at it where the mode of https is %s: %p time', async (mode, times) => {
  using folder = new ADataFolder(`[https]\nmode = "${mode}"\n`)
  const { stdout } = await folder.run(['doctor', '--json'])
  const { checks } = JSON.parse(stdout) as { checks: { check: string }[] }
  expect(checks.filter(({ check }) => check === 'kernel')).toHaveLength(times)
})
