import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContentAway } from '../../src/asset/asset-store.ts'
import { ClusterSeal, storeSealing } from '../../src/cluster/cluster-seal.ts'
import { ContentStore } from '../../src/cluster/content-store.ts'
import { SharedAssets } from '../../src/cluster/shared-assets.ts'
import { newSecret } from '../../src/lib/sign.ts'
import { openAssetStore } from '../../src/storage/filesystem/asset-store.ts'
import { S3Target } from '../../src/storage/target/s3-target.ts'
import { type S3Server, startS3Server } from '../harness/s3-server.ts'
import { assetStoreContract, bytesOf, hashOf, keyOf } from './asset-store.ts'

const dirs: string[] = []
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  for (const dir of dirs) await rm(dir, { recursive: true })
})

async function files() {
  const dir = await mkdtemp(join(tmpdir(), 'capture-assets-'))
  dirs.push(dir)
  return openAssetStore(dir)
}

const secret = newSecret()
const storeIn = (bucket: string): ContentStore =>
  new ContentStore(new S3Target({ url: `s3://${bucket}/cluster`, ...s3 }), storeSealing(new ClusterSeal(secret)))

async function node(bucket: string) {
  const here = await files()
  const store = storeIn(bucket)
  return { here, store, assets: new SharedAssets(here, store) }
}

assetStoreContract('asset store on the filesystem', files)
assetStoreContract('asset store that a cluster shares', async () => (await node(s3.bucket())).assets)

describe('nodes that share a bucket', () => {
  const page = bytesOf('<h1>Spring</h1>')
  const large = new Uint8Array(20 * 1024 * 1024).map((_, at) => at % 251)

  test.each([
    ['a page', page],
    ['a content of several objects', large],
  ])('have %s that another has put, and keep it', async (_, bytes) => {
    const bucket = s3.bucket()
    const [one, other] = [await node(bucket), await node(bucket)]
    await one.assets.put(keyOf(bytes), bytes)
    expect(await (await other.assets.open(keyOf(bytes)))?.bytes()).toEqual(bytes)
    expect((await other.here.open(keyOf(bytes)))?.size).toBe(bytes.length)
  })

  test('put the same large content at once, and it is whole', async () => {
    const bucket = s3.bucket()
    const nodes = [await node(bucket), await node(bucket), await node(bucket)]
    await Promise.all(nodes.map(({ assets }) => assets.put(keyOf(large), large)))
    expect(await (await (await node(bucket)).assets.open(keyOf(large)))?.bytes()).toEqual(large)
  })

  test('leave nothing readable in the bucket', async () => {
    const bucket = s3.bucket()
    await (await node(bucket)).assets.put(keyOf(page), page)
    const stored = await Bun.file(s3.fileOf(bucket, `cluster/assets/${hashOf(page)}`)).text()
    expect(stored).not.toContain('Spring')
  })

  test('serve what they have while the bucket is away, and publish nothing', async () => {
    const bucket = s3.bucket()
    const [one, other] = [await node(bucket), await node(bucket)]
    await one.assets.put(keyOf(page), page)
    await s3.stop()
    try {
      expect(await (await one.assets.open(keyOf(page)))?.text()).toBe('<h1>Spring</h1>')
      await expect(other.assets.open(keyOf(page))).rejects.toBeInstanceOf(ContentAway)
      await expect(one.assets.put(keyOf(bytesOf('new')), bytesOf('new'))).rejects.toThrow(
        `The cluster’s store s3://${bucket}/cluster cannot be reached: the connection was refused. Nothing can be published until it does.`,
      )
    } finally {
      await s3.start()
    }
  })

  test('bring the bucket what it lacks, and take from it what nobody names any more', async () => {
    const [kept, dropped, recent] = ['kept', 'dropped', 'recent'].map(bytesOf) as [Uint8Array, Uint8Array, Uint8Array]
    const bucket = s3.bucket()
    const { here, assets, store } = await node(bucket)
    await here.put(keyOf(kept), kept)
    await here.put(keyOf(kept, 'br'), bytesOf('brotli'))
    await assets.put(keyOf(dropped), dropped)
    const contents = {
      referenced: () => [hashOf(kept)],
      unreferenced: (hashes: readonly string[]) => hashes.filter((hash) => hash !== hashOf(kept)),
    }
    const { signal } = new AbortController()
    await store.supply(here, contents, signal)
    await store.clear(contents, Date.now() + 2 * 60 * 60 * 1000, signal)
    await assets.put(keyOf(recent), recent)
    await store.supply(here, contents, signal)
    await store.clear(contents, Date.now(), signal)
    const another = (await node(bucket)).assets
    const texts = [keyOf(kept), keyOf(kept, 'br'), keyOf(dropped), keyOf(recent)].map(async (key) =>
      (await another.open(key))?.text(),
    )
    expect(await Promise.all(texts)).toEqual(['kept', 'brotli', undefined, 'recent'])
  })
})
