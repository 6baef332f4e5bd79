import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unknownTarget } from '../../../src/backup/target-state.ts'
import { FileTargetStates } from '../../../src/storage/filesystem/target-states.ts'

const url = 'file:///mnt/backups'
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-states-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('two processes that store the state of one target at once do not disturb each other', async () => {
  const writer = (): Worker => new Worker(new URL('./state-writer.ts', import.meta.url))
  const outcomes = [writer(), writer()].map(
    (worker) =>
      new Promise<string>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
        worker.postMessage({ dir, url })
      }),
  )
  expect(await Promise.all(outcomes)).toEqual(['stored', 'stored'])
  expect(new FileTargetStates(dir).read(url)).toMatchObject({ ...unknownTarget(url), writtenAt: 500 })
  expect(readdirSync(join(dir, 'targets'))).toHaveLength(1)
})
