import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FileTarget } from '../../src/storage/target/file-target.ts'
import { MemoryTarget } from '../harness/memory-target.ts'
import { backupTargetContract } from './backup-target.ts'

const dirs: string[] = []
afterAll(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true })
})

backupTargetContract('backup target in a folder', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'capture-target-'))
  dirs.push(dir)
  const target = new FileTarget(pathToFileURL(join(dir, 'backup')).href, join(dir, 'backup'))
  await target.create()
  return target
})

backupTargetContract('backup target in memory, for tests', async () => new MemoryTarget())
