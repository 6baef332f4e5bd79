import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BackupTarget } from '../../src/backup/target/backup-target.ts'
import { FileTarget } from '../../src/storage/target/file-target.ts'
import { S3Target } from '../../src/storage/target/s3-target.ts'
import { MemoryTarget } from '../harness/memory-target.ts'
import { type S3Server, startS3Server } from '../harness/s3-server.ts'
import { backupTargetContract } from './backup-target.ts'

const dirs: string[] = []
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  for (const dir of dirs) await rm(dir, { recursive: true })
})

async function folder(): Promise<FileTarget> {
  const dir = await mkdtemp(join(tmpdir(), 'capture-target-'))
  dirs.push(dir)
  return new FileTarget(pathToFileURL(join(dir, 'backup')).href, join(dir, 'backup'))
}

const bucket = (given: Partial<S3Server> & { url?: string } = {}): BackupTarget =>
  new S3Target({ url: `s3://${s3.bucket()}/a/prefix`, ...s3, ...given })

backupTargetContract('backup target in a folder', async () => {
  const target = await folder()
  await target.create()
  return target
})
backupTargetContract('backup target in a bucket', async () => bucket())
backupTargetContract('backup target in memory, for tests', async () => new MemoryTarget())

const bytes = new Uint8Array([1, 2, 3])

describe('a folder that is not there', () => {
  test('is away, and is not made', async () => {
    const target = await folder()
    await expect(target.put('owner', bytes)).rejects.toMatchObject({ kind: 'away' })
    await expect(target.get('owner')).rejects.toMatchObject({ kind: 'away' })
    await expect(Array.fromAsync(target.list('bases/'))).rejects.toMatchObject({ kind: 'away' })
  })
})

describe('a bucket', () => {
  test('keeps two prefixes apart', async () => {
    const name = s3.bucket()
    const [one, other] = ['one', 'other'].map((prefix) => bucket({ url: `s3://${name}/${prefix}` }))
    await one?.put('owner', bytes)
    expect(await other?.get('owner')).toBeNull()
  })

  test.each<[string, Partial<S3Server>]>([
    ['a wrong key', { secretKey: 'wrong' }],
    ['a wrong region', { region: 'us-west-2' }],
  ])('with %s refuses the box, in every method', async (_, given) => {
    const target = bucket(given)
    await expect(target.put('owner', bytes)).rejects.toMatchObject({ kind: 'refused' })
    await expect(target.get('owner')).rejects.toMatchObject({ kind: 'refused' })
    await expect(target.putNew('owner', bytes)).rejects.toMatchObject({ kind: 'refused' })
    await expect(target.delete('owner')).rejects.toMatchObject({ kind: 'refused' })
    await expect(Array.fromAsync(target.list('bases/'))).rejects.toMatchObject({ kind: 'refused' })
  })

  test('that does not exist refuses, and is not empty', async () => {
    const target = bucket({ url: 's3://no-such-bucket/prefix' })
    await expect(target.put('owner', bytes)).rejects.toMatchObject({ kind: 'refused' })
    await expect(target.get('owner')).rejects.toMatchObject({ kind: 'refused' })
    await expect(Array.fromAsync(target.list('bases/'))).rejects.toMatchObject({ kind: 'refused' })
  })

  test('whose server does not answer is away', async () => {
    const target = bucket({ endpoint: 'http://127.0.0.1:9' })
    await expect(target.put('owner', bytes)).rejects.toMatchObject({ kind: 'away' })
    await expect(Array.fromAsync(target.list('bases/'))).rejects.toMatchObject({ kind: 'away' })
  })

  test('that closes the connection in the middle of an object is away', async () => {
    using server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of it')
        },
      },
    })
    const target = bucket({ endpoint: `http://127.0.0.1:${server.port}` })
    await expect(target.get('owner')).rejects.toMatchObject({ kind: 'away' })
  })
})
