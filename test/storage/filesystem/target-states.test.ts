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

test('two processes that change the state of one target at once lose nothing of each other', async () => {
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
  expect(readdirSync(join(dir, 'targets')).filter((name) => name.includes('unfinished'))).toEqual([])
})

test('work for one target waits for other work for it, and for none for another target', async () => {
  const [first, second] = [new FileTargetStates(dir), new FileTargetStates(dir)]
  const done: string[] = []
  const mayEnd = Promise.withResolvers<void>()
  const long = first.exclusively(url, async () => {
    await mayEnd.promise
    done.push('long')
  })
  const next = second.exclusively(url, async () => done.push('next'))
  await second.exclusively('file:///mnt/other', async () => done.push('other'))
  mayEnd.resolve()
  await Promise.all([long, next])
  expect(done).toEqual(['other', 'long', 'next'])
})

test('work that fails lets the next begin', async () => {
  const states = new FileTargetStates(dir)
  await expect(states.exclusively(url, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await states.exclusively(url, async () => 'done')).toBe('done')
})
