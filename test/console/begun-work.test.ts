import { expect, test } from 'bun:test'
import type { ConsoleBox } from '../../src/console/console-box.ts'
import { healthPage } from '../../src/console/page/box/health-page.ts'
import { openLog } from '../../src/lib/log.ts'

test('a backup that nobody waits for and that fails is in the log', async () => {
  const lines: string[] = []
  const failing = Promise.reject(new Error('it quotes ada@customer.example'))
  const box = {
    targets: async () => [{ target: { url: 'file:///backups' } }],
    backupRun: { run: () => failing },
    log: openLog({ level: 'info', format: 'json', write: (line) => lines.push(line), now: () => 0 }),
  }
  const call = { fields: new URLSearchParams({ act: 'backup' }) } as never
  await healthPage.forms?.chosen(call)?.run(call, box as unknown as ConsoleBox)
  await failing.catch(() => {})
  expect(lines).toEqual([expect.stringContaining('A backup that the console began failed')])
  expect(lines[0]).not.toContain('ada@customer.example')
})
