// Contract section 1: no command holds the write lock longer than 20 ms. Others must find it free within a few looks.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SqliteSiteStore } from '../../../../src/storage/sqlite/site/site-store.ts'
import { anAsset, publication } from '../../../contract/opened-accounts.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

/** Without pauses between its steps, a publish of so many keeps a writer waiting for a second and more. */
const assetCount = 5000
const testMsMax = 300_000

/** Takes the write lock again and again, from a process of its own, until its input ends; prints the longest wait. */
const writer = (file: string) => `
  import { Database } from 'bun:sqlite'
  const database = new Database(${JSON.stringify(file)})
  database.run('PRAGMA busy_timeout = 10000')
  let longestMs = 0, asked = false
  process.stdin.on('end', () => { asked = true }).resume()
  console.log('ready')
  while (!asked) {
    const startedAt = performance.now()
    database.run('BEGIN IMMEDIATE')
    longestMs = Math.max(longestMs, performance.now() - startedAt)
    database.run('ROLLBACK')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  console.log(longestMs)`

test(
  'a writer finds its turn while a large site is published',
  async () => {
    await using database = new TemporaryDatabase()
    const child = Bun.spawn([process.execPath, '-e', writer(database.file)], {
      cwd: join(import.meta.dir, '../../../..'),
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
    await output.read()
    const assets = Array.from({ length: assetCount }, (_, i) => anAsset(`p${i}`, `page ${i}`))
    const startedAt = performance.now()
    await new SqliteSiteStore(database.connect(), database.dir).publish(publication('acme', { assets }), () => {})
    const publishedInMs = performance.now() - startedAt
    await child.stdin.end()
    const longestMs = Number((await output.read()).value)
    await child.exited
    // In one transaction, the longest wait would be nearly as long as the publish, however fast the machine.
    expect(longestMs).toBeLessThan(publishedInMs / 3)
  },
  testMsMax,
)
