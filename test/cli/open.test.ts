import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

test('what is made in a data folder that was there before is its owner’s alone', async () => {
  using folder = new ADataFolder()
  mkdirSync(folder.dataDir)
  chmodSync(folder.dataDir, 0o755)
  await folder.apply(aSite({ files: { 'pages/one.html': 'one' } }))
  const made = readdirSync(folder.dataDir, { recursive: true }).map(String)
  expect(made).toContain('capture.db')
  const open = made.filter((name) => (statSync(join(folder.dataDir, name)).mode & 0o077) !== 0)
  expect(open).toEqual([])
})
