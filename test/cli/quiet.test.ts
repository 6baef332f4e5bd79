// What cron runs prints nothing as long as all is well: every line would be a mail.

import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ADataFolder } from './a-data-folder.ts'

test('backup --quiet prints nothing, unless it fails', async () => {
  using folder = await ADataFolder.with()
  expect(await folder.run(['backup', '--quiet', 'box.tar'])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect((await folder.done(['backup', 'box.tar'])).stdout).toContain('read back and verified')
  const { status, stderr } = await folder.run(['backup', '--quiet', 'nowhere/box.tar'])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('nowhere') })
})

test('doctor --quiet prints what is not well, and nothing else', async () => {
  using folder = await ADataFolder.with()
  expect(await folder.run(['doctor', '--quiet', '--strict'])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect((await folder.json(['doctor', '--quiet'])).checks).toEqual([])
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder.dataDir, `capture.db${suffix}`), { force: true })
  const { status, stdout } = await folder.run(['doctor', '--quiet'])
  expect(status).toBe(1)
  expect(stdout).toStartWith('fault    database: ')
  expect(stdout).not.toContain('ok ')
})
