import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHeld, takeFolderLock } from '../../../src/storage/lock/folder-lock.ts'
import { ADataFolder } from '../a-data-folder.ts'

test('serve does not start with a preview host that would hide an account’s connected domain', async () => {
  using folder = await ADataFolder.with()
  const server = '[server]\nlisten = "127.0.0.1:0"\npreview_host = "go.acme.test"\n'
  writeFileSync(folder.path('capture.toml'), `data_dir = "./data"\n${server}`)
  const { status, stderr } = await folder.run(['serve'])
  expect(status).toBe(1)
  expect(stderr).toContain('go.acme.test is a connected domain of the account "acme"')
  expect(stderr).toContain('preview_host')
})

test('a second serve on a folder is refused before it has touched anything in it', async () => {
  using folder = new ADataFolder()
  mkdirSync(folder.dataDir)
  const lock = takeFolderLock(folder.dataDir, 'serve', 'capture serve on 127.0.0.1:8080')
  const { status, stderr } = await folder.run(['serve'])
  expect(status).toBe(1)
  expect(stderr).toContain(`in use by process ${process.pid} (capture serve on 127.0.0.1:8080`)
  expect(existsSync(join(folder.dataDir, 'capture.db'))).toBe(false)
  if (isHeld(lock)) lock.release()
})
