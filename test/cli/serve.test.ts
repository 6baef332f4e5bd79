import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { ADataFolder } from './a-data-folder.ts'

test('serve does not start with a preview host that would hide an account’s connected domain', async () => {
  using folder = await ADataFolder.with()
  const server = '[server]\nlisten = "127.0.0.1:0"\npreview_host = "go.acme.test"\n'
  writeFileSync(folder.path('capture.toml'), `data_dir = "./data"\n${server}`)
  const { status, stderr } = await folder.run(['serve'])
  expect(status).toBe(1)
  expect(stderr).toContain('go.acme.test is a connected domain of the account "acme"')
  expect(stderr).toContain('preview_host')
})
