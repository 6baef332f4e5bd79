import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileSalt, sentBytes } from '../../src/account/visitor-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'capture-file-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('the bytes that a visitor sent have a size and an end, which tell the type of a document', async () => {
  const file = join(dir, 'stored')
  writeFileSync(file, Buffer.concat([fileSalt('svc_ac_1'), Buffer.from('what was sent')]))
  const sent = sentBytes(Bun.file(file))
  expect(sent.size).toBe('what was sent'.length)
  expect(await sent.slice(sent.size - 4).text()).toBe('sent')
})
