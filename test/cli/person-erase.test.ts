// `capture person erase` in words (contract sections 1 and 8); what it erases is tested on the executable and on storage.
import { expect, test } from 'bun:test'
import { ADataFolder } from './a-data-folder.ts'

test('what would go is one line of its own, and ends with exit status 2', async () => {
  using folder = await ADataFolder.with()
  const { status, stdout, stderr } = await folder.run(['person', 'erase', 'acme', 'nobody@customer.example'])
  expect(stdout).toBe('Of acme would go 0 submissions, 0 events, 0 page views, 0 clicks and 0 devices.\n')
  expect(stderr).toContain('--yes')
  expect(status).toBe(2)
})
