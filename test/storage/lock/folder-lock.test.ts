import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FolderLock, isHeld, type LockHolder, takeFolderLock } from '../../../src/storage/lock/folder-lock.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-lock-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function held(lock: FolderLock | LockHolder): FolderLock {
  if (isHeld(lock)) return lock
  throw new Error(`held by ${lock.doing}`)
}

test('whoever comes second is told who holds the lock, since when, and what for', () => {
  const before = Date.now()
  const lock = held(takeFolderLock(dir, 'serve', 'capture serve on 127.0.0.1:8080'))
  const second = takeFolderLock(dir, 'serve', 'another')
  lock.release()
  if (isHeld(second)) throw new Error('both hold it')
  expect(second).toMatchObject({ pid: process.pid, doing: 'capture serve on 127.0.0.1:8080' })
  expect(Date.parse(second.since)).toBeGreaterThanOrEqual(before)
})

test('a released lock can be taken again', () => {
  held(takeFolderLock(dir, 'serve', 'first')).release()
  held(takeFolderLock(dir, 'serve', 'second')).release()
})

test('a file of which a faulty disk has left something else can be locked, unless somebody holds it', () => {
  const garbage = (): void => writeFileSync(join(dir, 'serve.lock'), 'A'.repeat(8192))
  garbage()
  const lock = held(takeFolderLock(dir, 'serve', 'first'))
  garbage()
  expect(takeFolderLock(dir, 'serve', 'second')).toMatchObject({ doing: 'first' })
  lock.release()
})

test('locks of other names and other folders are others', () => {
  const other = join(dir, 'other')
  mkdirSync(other)
  const locks = [
    takeFolderLock(dir, 'serve', 'one'),
    takeFolderLock(dir, 'publish', 'two'),
    takeFolderLock(other, 'serve', 'three'),
  ].map(held)
  expect(locks).toHaveLength(3)
  for (const lock of locks) lock.release()
})

test('a holder whose note cannot be read is still a holder', () => {
  const lock = held(takeFolderLock(dir, 'serve', 'first'))
  writeFileSync(join(dir, 'serve.holder.json'), '{')
  const second = takeFolderLock(dir, 'serve', 'second')
  lock.release()
  expect(second).toMatchObject({ doing: 'another process' })
})

test('the lock of a process that was killed is free', async () => {
  const module = join(import.meta.dir, '../../../src/storage/lock/folder-lock.ts')
  const program = `
    const { takeFolderLock } = await import(${JSON.stringify(module)})
    globalThis.lock = takeFolderLock(${JSON.stringify(dir)}, 'serve', 'a process that dies')
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  await reader.read()
  const whileAlive = takeFolderLock(dir, 'serve', 'second')
  child.kill('SIGKILL')
  await child.exited
  expect(whileAlive).toMatchObject({ pid: child.pid, doing: 'a process that dies' })
  held(takeFolderLock(dir, 'serve', 'third')).release()
})
