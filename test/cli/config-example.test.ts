import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { exampleConfig } from '../../src/config/example.ts'
import { ADataFolder } from './a-data-folder.ts'

test('config example --out writes the file that it prints', async () => {
  using folder = new ADataFolder()
  const { stdout } = await folder.done(['config', 'example', '--out', 'every-key.toml'])
  expect(stdout).toContain(folder.path('every-key.toml'))
  expect(readFileSync(folder.path('every-key.toml'), 'utf8')).toBe(exampleConfig)
  expect((await folder.done(['config', 'example'])).stdout).toBe(exampleConfig)
  expect(await folder.json(['config', 'example', '--out', 'once-more.toml'])).toEqual({
    file: folder.path('once-more.toml'),
  })
})

test.each([
  ['capture.toml', 'already exists and was not changed'],
  ['.', 'already exists'],
  ['nowhere/capture.toml', 'there is no folder'],
])('config example --out %s changes nothing and says why', async (out, why) => {
  using folder = new ADataFolder()
  writeFileSync(folder.path('capture.toml'), '# mine\n')
  const { status, stdout, stderr } = await folder.run(['config', 'example', '--out', out])
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(why) })
  expect(readFileSync(folder.path('capture.toml'), 'utf8')).toBe('# mine\n')
})
