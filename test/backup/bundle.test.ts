import { describe, expect, test } from 'bun:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { checkBundle, partBytesMax, readBundle, readHead, writeBundle } from '../../src/backup/format/bundle.ts'
import { DataKeys, openSealer, WrongIdentity } from '../../src/backup/format/sealing.ts'
import { MemoryTarget } from '../harness/memory-target.ts'

const identity = await generateX25519Identity()
const recipients = [await identityToRecipient(identity)]
const keys = new DataKeys([identity])
const name = 'assets/a'

async function written(bytes: Uint8Array, to: string[] = recipients): Promise<MemoryTarget> {
  const target = new MemoryTarget()
  await writeBundle(target, await openSealer(to), { name, header: () => ({ kind: 'asset' }), chunks: [bytes] })
  return target
}

async function read(target: MemoryTarget, dataKeys = keys): Promise<Uint8Array> {
  const head = await readHead(target, name, 'asset')
  return Buffer.concat(await Array.fromAsync(readBundle(target, name, { head, keys: dataKeys })))
}

const large = new Uint8Array(2 * partBytesMax + 17).map((_, at) => (at * 7919) >> 5)

describe('a bundle', () => {
  test.each([0, 1, partBytesMax, partBytesMax + 1, large.length])('of %p bytes comes back', async (length) => {
    const bytes = large.subarray(0, length)
    expect(Buffer.compare(await read(await written(bytes)), bytes)).toBe(0)
    expect(Buffer.compare(await read(await written(bytes, [])), bytes)).toBe(0)
  })

  test('has nothing readable in its objects where recipients are set', async () => {
    const target = await written(new TextEncoder().encode('anna@customer.example '.repeat(100)))
    const stored = Buffer.concat([...target.objects.values()])
    expect(stored.includes('anna@customer.example')).toBe(false)
  })

  test('has its head put last', async () => {
    const target = await written(large)
    expect([...target.objects.keys()]).toEqual(['assets/a.000001', 'assets/a.000002', 'assets/a'])
  })

  test('is not opened by another identity', async () => {
    const other = new DataKeys([await generateX25519Identity()])
    await expect(read(await written(large), other)).rejects.toBeInstanceOf(WrongIdentity)
  })

  test('is checked without an identity', async () => {
    const target = await written(large)
    await checkBundle(target, name, await readHead(target, name, 'asset'))
  })

  test.each(['assets/a', 'assets/a.000002'])('names a damaged object: %s', async (damaged) => {
    const target = await written(large)
    const bytes = target.objects.get(damaged)
    if (bytes !== undefined) bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1
    await expect(read(target)).rejects.toMatchObject({ object: damaged, message: expect.stringContaining('damaged') })
  })

  test('names a missing object', async () => {
    const target = await written(large)
    target.objects.delete('assets/a.000001')
    await expect(read(target)).rejects.toMatchObject({ object: 'assets/a.000001', message: 'is missing' })
  })

  test('names an object that was cut short', async () => {
    const target = await written(large)
    target.objects.set('assets/a', (target.objects.get('assets/a') ?? new Uint8Array()).slice(0, 100))
    await expect(read(target)).rejects.toMatchObject({ object: 'assets/a' })
  })

  test('does not pass for another one', async () => {
    const target = await written(new Uint8Array([1]))
    target.objects.set('assets/b', target.objects.get('assets/a') ?? new Uint8Array())
    await expect(readHead(target, 'assets/b', 'asset')).rejects.toMatchObject({ object: 'assets/b' })
  })
})
